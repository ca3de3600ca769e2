-- By which schemas and resource types the service served a tenant when it last started.
-- oldest writer: 1
--
-- A program without this migration serves what is stored by whatever documents it is given.

CREATE TABLE served_definitions (
  tenant      TEXT NOT NULL PRIMARY KEY,
  definitions TEXT NOT NULL, -- JSON: served, remembered; in each schemas, resourceTypes
  revision    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
