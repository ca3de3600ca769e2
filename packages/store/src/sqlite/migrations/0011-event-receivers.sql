-- Who is told of events: webhooks, and what was set aside for them.
-- oldest writer: 1
--
-- A program without this migration tells nobody: receivers are behind until one that knows them comes, and miss nothing.

CREATE TABLE event_receivers (
  tenant        TEXT NOT NULL,
  id            TEXT NOT NULL,
  kind          TEXT NOT NULL, -- webhook
  url           TEXT NOT NULL,
  state         TEXT NOT NULL, -- active, paused, disabled
  reason        TEXT, -- why it was disabled
  types         TEXT NOT NULL, -- JSON array: which events
  payload       TEXT NOT NULL, -- reference, full
  secrets       TEXT NOT NULL, -- JSON array; their texts are sealed
  options       TEXT NOT NULL DEFAULT '{}', -- JSON object: what only some kinds have
  created       TEXT NOT NULL,
  revision      INTEGER NOT NULL, -- counts the changes of the settings
  position      INTEGER NOT NULL, -- up to this, all is delivered or set aside
  failing_since TEXT,
  last_delivery TEXT,
  last_problem  TEXT,
  lease_holder  TEXT, -- the process that delivers
  lease_until   TEXT,
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Deliveries that failed, and those that wait behind them. The event itself stays where it is.
CREATE TABLE event_deliveries (
  tenant   TEXT NOT NULL,
  receiver TEXT NOT NULL,
  position INTEGER NOT NULL,
  type     TEXT NOT NULL,
  id       TEXT NOT NULL, -- of the resource
  state    TEXT NOT NULL, -- waiting, dead
  attempts INTEGER NOT NULL,
  since    TEXT NOT NULL,
  next     TEXT NOT NULL, -- when it is tried again
  problem  TEXT,
  PRIMARY KEY (tenant, receiver, position)
) STRICT, WITHOUT ROWID;

-- What waits and what is dead, each in the order of positions.
CREATE INDEX event_deliveries_state ON event_deliveries (tenant, receiver, state, position);
