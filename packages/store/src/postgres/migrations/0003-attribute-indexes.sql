-- Which attributes of a tenant have an index, and how far each is built.
-- oldest writer: 1
--
-- An index is declared while the service runs, by processes of different age. Nothing here trusts a clock, or that a
-- process heard of a declaration in time:
--
-- * `index_revisions.revision` moves when the set of attributes changes whose entries writers must write. A writer
--   states which revision it knows, and the statement that writes sets `resources.indexed_version` to the new version
--   only where that is the revision still, and where the entries before were right. So `indexed_version = version`
--   says: the entries of this resource are those of its body. Such a resource is settled.
-- * A program that knows nothing of this (that of migration 0001) gives a resource another version and leaves
--   `indexed_version` as it is, or empty: the resource is unsettled. So is every resource from before this migration.
--   `resources_unsettled` finds them; whoever builds indexes writes their entries anew, and settles them.
-- * The attributes that every program since 0001 has indexed (`userName`, `externalId`, `displayName` and
--   `emails.value` of User, `externalId` and `displayName` of Group) need no declaration and are trusted at once.
--   For every other, a query looks in its own snapshot whether the revision is the one that it knows and no resource
--   of the type is unsettled; else it goes through the resources.
--
-- Building: `declared` (writers write entries; the builder waits until no transaction is left that began before) ->
-- `building` (resources are gone through in order of id, each batch in one transaction with its progress, its rows
-- locked) -> `ready` (queries use it). Taking away: `dropping` (queries and writers stop; the same wait; entries go in
-- batches) -> no row.

-- Adding the column changes no row. Making the index goes once through all resources, and puts those in it that are
-- there: writers wait meanwhile (some seconds for a million).

-- The version whose entries `attribute_index` holds; the entries of others may be wrong.
ALTER TABLE resources ADD COLUMN indexed_version text COLLATE "C";

CREATE INDEX resources_unsettled ON resources (tenant, type, indexed_version, id)
  WHERE deleted IS NULL AND indexed_version IS DISTINCT FROM version;

-- No row: 0, nothing was ever declared.
CREATE TABLE index_revisions (
  tenant   text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL,
  revision bigint NOT NULL, -- of what writers write
  changes  bigint NOT NULL, -- of anything in attribute_indexes, progress aside
  PRIMARY KEY (tenant, type)
);

CREATE TABLE attribute_indexes (
  tenant   text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL,
  path     text COLLATE "C" NOT NULL,
  origin   text COLLATE "C" NOT NULL,    -- schema, operator
  state    text COLLATE "C" NOT NULL,    -- declared, building, ready, dropping
  since    text COLLATE "C" NOT NULL,    -- when it came into this state
  fence    text COLLATE "C",             -- transactions before it must have ended
  progress text COLLATE "C" NOT NULL,    -- built for ids up to this one
  built    bigint NOT NULL, -- resources gone through
  PRIMARY KEY (tenant, type, path)
);

-- Who builds for a tenant. More than one would do no harm, and work for nothing.
CREATE TABLE index_leases (
  tenant text COLLATE "C" NOT NULL PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until  text COLLATE "C" NOT NULL
);
