-- What guards of connections count, and the changes that they hold.
-- oldest writer: 1
--
-- A program without this migration counts nothing.

-- The present window of each place. What would be beyond the bound is refused by the row itself, so that no number of
-- processes lets more pass.
CREATE TABLE guard_windows (
  tenant     TEXT NOT NULL,
  connection TEXT NOT NULL,
  measure    TEXT NOT NULL, -- deactivations, deletions, removals
  type       TEXT NOT NULL,
  started    TEXT NOT NULL,
  count      INTEGER NOT NULL,
  most       INTEGER NOT NULL,
  told       INTEGER NOT NULL, -- 1: that there are too many was told
  PRIMARY KEY (tenant, connection, measure, type),
  CONSTRAINT guard_windows_bound CHECK (count <= most)
) STRICT, WITHOUT ROWID;

CREATE TABLE guard_held (
  tenant     TEXT NOT NULL,
  connection TEXT NOT NULL,
  measure    TEXT NOT NULL,
  type       TEXT NOT NULL,
  resource   TEXT NOT NULL,
  id         TEXT NOT NULL,
  first_at   TEXT NOT NULL,
  last_at    TEXT NOT NULL,
  tries      INTEGER NOT NULL,
  changes    TEXT NOT NULL, -- JSON, with pseudonyms in the place of personal values
  removed    TEXT NOT NULL, -- JSON: ids that would go from collections
  released   TEXT,
  PRIMARY KEY (tenant, connection, measure, type, resource)
) STRICT, WITHOUT ROWID;

CREATE INDEX guard_held_id ON guard_held (tenant, id);
