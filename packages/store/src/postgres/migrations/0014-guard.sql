-- What guards of connections count, and the changes that they hold.
-- oldest writer: 1
--
-- A program without this migration counts nothing.

-- The present window of each place. What would be beyond the bound is refused by the row itself, so that no number of
-- processes lets more pass.
CREATE TABLE guard_windows (
  tenant     text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  measure    text COLLATE "C" NOT NULL, -- deactivations, deletions, removals
  type       text COLLATE "C" NOT NULL,
  started    text COLLATE "C" NOT NULL,
  count      bigint NOT NULL,
  most       bigint NOT NULL,
  told       bigint NOT NULL, -- 1: that there are too many was told
  PRIMARY KEY (tenant, connection, measure, type),
  CONSTRAINT guard_windows_bound CHECK (count <= most)
);

CREATE TABLE guard_held (
  tenant     text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  measure    text COLLATE "C" NOT NULL,
  type       text COLLATE "C" NOT NULL,
  resource   text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  first_at   text COLLATE "C" NOT NULL,
  last_at    text COLLATE "C" NOT NULL,
  tries      bigint NOT NULL,
  changes    text COLLATE "C" NOT NULL, -- JSON, with pseudonyms in the place of personal values
  removed    text COLLATE "C" NOT NULL, -- JSON: ids that would go from collections
  released   text COLLATE "C",
  PRIMARY KEY (tenant, connection, measure, type, resource)
);

CREATE INDEX guard_held_id ON guard_held (tenant, id);
