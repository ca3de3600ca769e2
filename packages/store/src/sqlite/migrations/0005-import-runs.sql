-- How far imports have come, so that they can be resumed.
-- oldest writer: 1
--
-- A row moves on in the transaction of the resources that it counts, and goes when the import is done.

CREATE TABLE import_runs (
  tenant    TEXT NOT NULL,
  run       TEXT NOT NULL,    -- made of the source and of how it is read
  position  INTEGER NOT NULL, -- records that are done, rejected ones among them
  created   INTEGER NOT NULL,
  replaced  INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  PRIMARY KEY (tenant, run)
) STRICT, WITHOUT ROWID;
