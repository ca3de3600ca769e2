-- Resources, what finds them, who refers to whom, tokens and the outbox.
-- oldest writer: 1
--
-- Every primary key begins with the tenant, so that tables can be split by tenant. There are no
-- foreign keys: a reference may name what does not exist, and a delete never touches another resource.
-- Instants are text in UTC with milliseconds, so that their order is that of time.

CREATE TABLE tenants (
  tenant  TEXT NOT NULL PRIMARY KEY,
  created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One for each provisioning client of a tenant.
CREATE TABLE connections (
  tenant     TEXT NOT NULL,
  connection TEXT NOT NULL,
  created    TEXT NOT NULL,
  PRIMARY KEY (tenant, connection)
) STRICT, WITHOUT ROWID;

INSERT INTO tenants (tenant, created) VALUES ('default', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
INSERT INTO connections (tenant, connection, created)
  VALUES ('default', 'default', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

-- Credentials: the keyed hash of a token, never its text.
CREATE TABLE tokens (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  connection TEXT NOT NULL,
  hash       TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  scopes     TEXT NOT NULL, -- JSON array of text
  subject    TEXT,
  expires    TEXT,
  created    TEXT NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, hash)
) STRICT, WITHOUT ROWID;

-- A deleted resource stays as a tombstone until it is purged; every index below leaves it out.
CREATE TABLE resources (
  tenant        TEXT NOT NULL,
  type          TEXT NOT NULL,
  id            TEXT NOT NULL,
  connection    TEXT NOT NULL,    -- that created it
  revision      INTEGER NOT NULL, -- counts the writes
  version       TEXT NOT NULL,    -- revision and nonce: never repeated, unlike the revision
  created       TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  deleted       TEXT,
  body          TEXT NOT NULL,    -- JSON, without what other columns and tables hold
  PRIMARY KEY (tenant, type, id)
) STRICT;

CREATE INDEX resources_live ON resources (tenant, type, id) WHERE deleted IS NULL;
CREATE INDEX resources_created ON resources (tenant, type, created, id) WHERE deleted IS NULL;
CREATE INDEX resources_last_modified ON resources (tenant, type, last_modified, id) WHERE deleted IS NULL;
CREATE INDEX resources_deleted ON resources (deleted, tenant, type, id) WHERE deleted IS NOT NULL;

-- How many live resources there are of a type. Writers may spread over shards; the sum counts.
CREATE TABLE resource_counters (
  tenant TEXT NOT NULL,
  type   TEXT NOT NULL,
  shard  INTEGER NOT NULL,
  n      INTEGER NOT NULL,
  PRIMARY KEY (tenant, type, shard)
) STRICT, WITHOUT ROWID;

-- The values of indexed attributes as comparison keys (case folded where letter case does not matter).
-- Text is ordered by code point.
CREATE TABLE attribute_index (
  tenant TEXT NOT NULL,
  type   TEXT NOT NULL,
  path   TEXT NOT NULL,
  key    ANY NOT NULL,
  id     TEXT NOT NULL,
  PRIMARY KEY (tenant, type, path, key, id)
) STRICT, WITHOUT ROWID;

-- For what is asked of one resource: sort keys, missing values, removal.
CREATE INDEX attribute_index_resource ON attribute_index (tenant, type, id, path);

-- Values that no two resources of a scope may hold.
CREATE TABLE unique_values (
  tenant TEXT NOT NULL,
  scope  TEXT NOT NULL,
  path   TEXT NOT NULL,
  key    ANY NOT NULL,
  type   TEXT NOT NULL,
  id     TEXT NOT NULL,
  PRIMARY KEY (tenant, scope, path, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX unique_values_resource ON unique_values (tenant, type, id);

-- The values of reference collections (members of a group), in the order of adding.
CREATE TABLE reference_values (
  tenant   TEXT NOT NULL,
  type     TEXT NOT NULL, -- resource type of the owner
  owner    TEXT NOT NULL,
  path     TEXT NOT NULL,
  position INTEGER NOT NULL,
  value    TEXT NOT NULL, -- id that is referred to
  rest     TEXT NOT NULL, -- JSON object of the other sub-attributes
  PRIMARY KEY (tenant, type, owner, path, position)
) STRICT, WITHOUT ROWID;

-- Who refers to a resource; and a collection holds a value once.
CREATE UNIQUE INDEX reference_values_value ON reference_values (tenant, value, type, path, owner);

-- Number of the last writing transaction of each tenant.
CREATE TABLE outbox_heads (
  tenant             TEXT NOT NULL PRIMARY KEY,
  transaction_number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What happened, written in the transaction of the change. Readers follow `position`, which is given
-- after commit: a number drawn inside a transaction need not be the order of commits.
CREATE TABLE events (
  tenant             TEXT NOT NULL,
  transaction_number INTEGER NOT NULL,
  sequence           INTEGER NOT NULL, -- within the transaction
  position           INTEGER,
  at                 TEXT NOT NULL,
  connection         TEXT NOT NULL,
  subject            TEXT,
  kind               TEXT NOT NULL,
  type               TEXT NOT NULL,
  id                 TEXT NOT NULL,
  version            TEXT NOT NULL,
  changed            TEXT NOT NULL,    -- JSON array of attribute paths
  before             TEXT,             -- JSON of the resource without collections, where it changed
  after              TEXT,
  collections        TEXT,             -- JSON array of what came to and went from collections
  PRIMARY KEY (tenant, transaction_number, sequence)
) STRICT;

CREATE UNIQUE INDEX events_position ON events (tenant, position) WHERE position IS NOT NULL;
