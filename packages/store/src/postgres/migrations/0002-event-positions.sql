-- Positions of events, given after commit, and who holds the right to give them.
-- oldest writer: 1
--
-- A program without this migration writes events that have no position, which is how every event begins.

-- The last position of each tenant. Whoever holds the row gives positions; writers never touch it.
CREATE TABLE event_heads (
  tenant   text COLLATE "C" NOT NULL PRIMARY KEY,
  position bigint NOT NULL
);

-- Events that wait for a position, and which tenants have some: as small as what waits.
CREATE INDEX events_without_position ON events (tenant, transaction_number, sequence) WHERE position IS NULL;
