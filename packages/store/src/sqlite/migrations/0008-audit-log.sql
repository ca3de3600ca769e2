-- Where changes come from, and the audit log with its chain of hashes.
-- oldest writer: 1
--
-- A program without this migration tells no origin of what it changes, and links no entry for the events that it gives
-- positions to: they are linked by the next program that knows how, so that the chain has no gap.

-- JSON of who asked for a change, and from where.
ALTER TABLE events ADD COLUMN origin TEXT;

-- The version that the change was made to.
ALTER TABLE events ADD COLUMN version_before TEXT;

-- One for each event of a tenant, made in the transaction that gives the event its position.
CREATE TABLE audit_entries (
  tenant   TEXT NOT NULL,
  position INTEGER NOT NULL,
  at       TEXT NOT NULL,
  type     TEXT NOT NULL,
  id       TEXT NOT NULL,
  entry    TEXT NOT NULL, -- canonical JSON
  hash     TEXT NOT NULL, -- of the entry and the hash before it
  PRIMARY KEY (tenant, position)
) STRICT;

-- Everything that happened to a resource.
CREATE INDEX audit_entries_resource ON audit_entries (tenant, type, id, position);

-- Signed places of the chains. One of them stands for the entries that are not kept any more.
CREATE TABLE audit_checkpoints (
  tenant    TEXT NOT NULL,
  position  INTEGER NOT NULL,
  hash      TEXT NOT NULL,
  at        TEXT NOT NULL,
  key_id    TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (tenant, position)
) STRICT, WITHOUT ROWID;
