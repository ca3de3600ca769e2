-- Where changes come from, and the audit log with its chain of hashes.
-- oldest writer: 1
--
-- A program without this migration tells no origin of what it changes, and links no entry for the events that it gives
-- positions to: they are linked by the next program that knows how, so that the chain has no gap.

-- JSON of who asked for a change, and from where.
ALTER TABLE events ADD COLUMN origin text COLLATE "C";

-- The version that the change was made to.
ALTER TABLE events ADD COLUMN version_before text COLLATE "C";

-- One for each event of a tenant, made in the transaction that gives the event its position.
CREATE TABLE audit_entries (
  tenant   text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at       text COLLATE "C" NOT NULL,
  type     text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  entry    text COLLATE "C" NOT NULL, -- canonical JSON
  hash     text COLLATE "C" NOT NULL, -- of the entry and the hash before it
  PRIMARY KEY (tenant, position)
);

-- Everything that happened to a resource.
CREATE INDEX audit_entries_resource ON audit_entries (tenant, type, id, position);

-- Signed places of the chains. One of them stands for the entries that are not kept any more.
CREATE TABLE audit_checkpoints (
  tenant    text COLLATE "C" NOT NULL,
  position  bigint NOT NULL,
  hash      text COLLATE "C" NOT NULL,
  at        text COLLATE "C" NOT NULL,
  key_id    text COLLATE "C" NOT NULL,
  signature text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, position)
);
