-- How far imports have come, so that they can be resumed.
-- oldest writer: 1
--
-- A row moves on in the transaction of the resources that it counts, and goes when the import is done.

CREATE TABLE import_runs (
  tenant    text COLLATE "C" NOT NULL,
  run       text COLLATE "C" NOT NULL, -- made of the source and of how it is read
  position  bigint NOT NULL,           -- records that are done, rejected ones among them
  created   bigint NOT NULL,
  replaced  bigint NOT NULL,
  unchanged bigint NOT NULL,
  PRIMARY KEY (tenant, run)
);
