-- By which schemas and resource types the service served a tenant when it last started.
-- oldest writer: 1
--
-- A program without this migration serves what is stored by whatever documents it is given.

CREATE TABLE served_definitions (
  tenant      text COLLATE "C" NOT NULL PRIMARY KEY,
  definitions text COLLATE "C" NOT NULL, -- JSON: served, remembered; in each schemas, resourceTypes
  revision    bigint NOT NULL
);
