-- Values of a collection that are brought in before the write that takes them over.
-- oldest writer: 1
--
-- Nobody but the one who opened a stage reads it. Rows of stages that were never closed go with the purge.

CREATE TABLE reference_stages (
  tenant  TEXT NOT NULL,
  stage   TEXT NOT NULL,
  created TEXT NOT NULL,
  PRIMARY KEY (tenant, stage)
) STRICT, WITHOUT ROWID;

CREATE TABLE staged_references (
  tenant   TEXT NOT NULL,
  stage    TEXT NOT NULL,
  path     TEXT NOT NULL,
  position INTEGER NOT NULL,
  value    TEXT NOT NULL,
  rest     TEXT NOT NULL, -- as sent
  settled  TEXT,          -- what stands beside a value that stays, where that is not what was sent
  PRIMARY KEY (tenant, stage, path, position)
) STRICT, WITHOUT ROWID;

-- A value is staged once: the first of equal ones stays.
CREATE UNIQUE INDEX staged_references_value ON staged_references (tenant, value, stage, path);
