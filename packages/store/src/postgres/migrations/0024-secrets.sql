-- Hashes of secrets, such as passwords, and which tenants keep them.
-- oldest writer: 1
--
-- A program without this migration drops the secrets that it is sent, and leaves the hash that is there: so tenants keep
-- some only once all programs have it.

ALTER TABLE tenants ADD COLUMN secrets text NOT NULL DEFAULT 'drop'; -- drop, hash

-- One for each attribute of a resource that is writeOnly and returned never. Those of deleted resources are gone.
CREATE TABLE secret_hashes (
  tenant text COLLATE "C" NOT NULL,
  type   text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  path   text COLLATE "C" NOT NULL, -- attribute path
  hash   text NOT NULL, -- a PHC string
  PRIMARY KEY (tenant, type, id, path)
);
