-- Hashes of secrets, such as passwords, and which tenants keep them.
-- oldest writer: 1
--
-- A program without this migration drops the secrets that it is sent, and leaves the hash that is there: so tenants keep
-- some only once all programs have it.

ALTER TABLE tenants ADD COLUMN secrets TEXT NOT NULL DEFAULT 'drop'; -- drop, hash

-- One for each attribute of a resource that is writeOnly and returned never. Those of deleted resources are gone.
CREATE TABLE secret_hashes (
  tenant TEXT NOT NULL,
  type   TEXT NOT NULL,
  id     TEXT NOT NULL,
  path   TEXT NOT NULL, -- attribute path
  hash   TEXT NOT NULL, -- a PHC string
  PRIMARY KEY (tenant, type, id, path)
) STRICT, WITHOUT ROWID;
