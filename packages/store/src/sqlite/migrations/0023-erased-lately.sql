-- Whose requests are written to the request log no more: who writes a batch asks it.
-- oldest writer: 1
--
-- A program without this migration asks when somebody of the tenant was erased last, by erasures_at.

-- Ids of those who were erased within the last hour: what answered a request of before may hold it in memory still.
CREATE TABLE erased_lately (
  tenant TEXT NOT NULL,
  id     TEXT NOT NULL,
  at     TEXT NOT NULL, -- when the erasure was done
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
