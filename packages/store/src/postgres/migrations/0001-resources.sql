-- Resources, what finds them, who refers to whom, tokens and the outbox.
-- oldest writer: 1
--
-- Every primary key begins with the tenant, so that tables can be split by tenant. There are no
-- foreign keys: a reference may name what does not exist, and a delete never touches another resource.
-- Instants are text in UTC with milliseconds, so that their order is that of time. All text is ordered by code
-- point, whatever the database does elsewhere.

CREATE TABLE tenants (
  tenant  text COLLATE "C" NOT NULL PRIMARY KEY,
  created text COLLATE "C" NOT NULL
);

-- One for each provisioning client of a tenant.
CREATE TABLE connections (
  tenant     text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  created    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, connection)
);

INSERT INTO tenants (tenant, created)
  VALUES ('default', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
INSERT INTO connections (tenant, connection, created)
  VALUES ('default', 'default', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));

-- Credentials: the keyed hash of a token, never its text.
CREATE TABLE tokens (
  tenant     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  hash       text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  scopes     text COLLATE "C" NOT NULL, -- JSON array of text
  subject    text COLLATE "C",
  expires    text COLLATE "C",
  created    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, hash)
);

-- A deleted resource stays as a tombstone until it is purged; every index below leaves it out.
CREATE TABLE resources (
  tenant        text COLLATE "C" NOT NULL,
  type          text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  connection    text COLLATE "C" NOT NULL, -- that created it
  revision      bigint NOT NULL,           -- counts the writes
  version       text COLLATE "C" NOT NULL, -- revision and nonce: never repeated, unlike the revision
  created       text COLLATE "C" NOT NULL,
  last_modified text COLLATE "C" NOT NULL,
  deleted       text COLLATE "C",
  body          text COLLATE "C" NOT NULL, -- JSON, without what other columns and tables hold; as written
  PRIMARY KEY (tenant, type, id)
);

CREATE INDEX resources_live ON resources (tenant, type, id) WHERE deleted IS NULL;
CREATE INDEX resources_created ON resources (tenant, type, created, id) WHERE deleted IS NULL;
CREATE INDEX resources_last_modified ON resources (tenant, type, last_modified, id) WHERE deleted IS NULL;
CREATE INDEX resources_deleted ON resources (deleted, tenant, type, id) WHERE deleted IS NOT NULL;

-- How many live resources there are of a type. Writers spread over shards; the sum counts.
CREATE TABLE resource_counters (
  tenant text COLLATE "C" NOT NULL,
  type   text COLLATE "C" NOT NULL,
  shard  integer NOT NULL,
  n      bigint NOT NULL,
  PRIMARY KEY (tenant, type, shard)
) WITH (fillfactor = 50);

-- The values of indexed attributes as comparison keys (case folded where letter case does not matter).
--
-- A key is bytes whose order is that of keys: text in UTF-8, which orders by code point; a number as FE and eight
-- bytes, which begins no text. A row of an index has room for some 2,700
-- bytes. So of a text of 1,024 bytes or more `key` holds the first 992 bytes and the SHA-256 of all, which is equal
-- for equal texts only, and `whole` holds the text: conditions on longer texts look at it, and an attribute that has
-- such a value is not put in order by this index.
CREATE TABLE attribute_index (
  tenant text COLLATE "C" NOT NULL,
  type   text COLLATE "C" NOT NULL,
  path   text COLLATE "C" NOT NULL,
  key    bytea NOT NULL,
  id     text COLLATE "C" NOT NULL,
  whole  bytea,
  PRIMARY KEY (tenant, type, path, key, id)
);

-- For what is asked of one resource: sort keys, missing values, removal.
CREATE INDEX attribute_index_resource ON attribute_index (tenant, type, id, path);

-- Attributes that have a value too long for the order of the index; empty nearly always.
CREATE INDEX attribute_index_cut ON attribute_index (tenant, type, path) WHERE whole IS NOT NULL;

-- Values that no two resources of a scope may hold. Keys as above; of a long one no more is needed.
CREATE TABLE unique_values (
  tenant text COLLATE "C" NOT NULL,
  scope  text COLLATE "C" NOT NULL,
  path   text COLLATE "C" NOT NULL,
  key    bytea NOT NULL,
  type   text COLLATE "C" NOT NULL,
  id     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, scope, path, key)
);

CREATE INDEX unique_values_resource ON unique_values (tenant, type, id);

-- The values of reference collections (members of a group), in the order of adding.
CREATE TABLE reference_values (
  tenant   text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL, -- resource type of the owner
  owner    text COLLATE "C" NOT NULL,
  path     text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  value    text COLLATE "C" NOT NULL, -- id that is referred to
  rest     text COLLATE "C" NOT NULL, -- JSON object of the other sub-attributes
  PRIMARY KEY (tenant, type, owner, path, position)
);

-- Who refers to a resource; and a collection holds a value once.
CREATE UNIQUE INDEX reference_values_value ON reference_values (tenant, value, type, path, owner);

-- What happened, written in the transaction of the change.
--
-- `transaction_number` is the writer's pg_current_xact_id(), drawn by the statement that writes the event: no row is
-- shared between the writers of a tenant. It is the order in which transactions began to write, not that of their
-- commits. So `position` is empty until somebody gives it after the commit, to rows whose transaction_number lies
-- below pg_snapshot_xmin(pg_current_snapshot()): no transaction that may still commit has one of these. Readers
-- follow `position`, never `transaction_number` or `at`. Under Citus the number is that of the coordinator, so
-- writers and whoever gives positions go through the same one.
CREATE TABLE events (
  tenant             text COLLATE "C" NOT NULL,
  transaction_number bigint NOT NULL,
  -- Rises within the transaction, from a random number: a server that a dump is restored into counts transactions
  -- anew, and comes to numbers that events have already.
  sequence           bigint NOT NULL,
  position           bigint,
  at                 text COLLATE "C" NOT NULL,
  connection         text COLLATE "C" NOT NULL,
  subject            text COLLATE "C",
  kind               text COLLATE "C" NOT NULL,
  type               text COLLATE "C" NOT NULL,
  id                 text COLLATE "C" NOT NULL,
  version            text COLLATE "C" NOT NULL,
  changed            text COLLATE "C" NOT NULL, -- JSON array of attribute paths
  before             text COLLATE "C",          -- JSON of the resource without collections, where it changed
  after              text COLLATE "C",
  collections        text COLLATE "C",          -- JSON array of what came to and went from collections
  PRIMARY KEY (tenant, transaction_number, sequence)
);

CREATE UNIQUE INDEX events_position ON events (tenant, position) WHERE position IS NOT NULL;
