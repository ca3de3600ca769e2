-- Who is told of events: webhooks, and what was set aside for them.
-- oldest writer: 1
--
-- A program without this migration tells nobody: receivers are behind until one that knows them comes, and miss nothing.

CREATE TABLE event_receivers (
  tenant        text COLLATE "C" NOT NULL,
  id            text COLLATE "C" NOT NULL,
  kind          text COLLATE "C" NOT NULL, -- webhook
  url           text COLLATE "C" NOT NULL,
  state         text COLLATE "C" NOT NULL, -- active, paused, disabled
  reason        text COLLATE "C", -- why it was disabled
  types         text COLLATE "C" NOT NULL, -- JSON array: which events
  payload       text COLLATE "C" NOT NULL, -- reference, full
  secrets       text COLLATE "C" NOT NULL, -- JSON array; their texts are sealed
  options       text COLLATE "C" NOT NULL DEFAULT '{}', -- JSON object: what only some kinds have
  created       text COLLATE "C" NOT NULL,
  revision      bigint NOT NULL, -- counts the changes of the settings
  position      bigint NOT NULL, -- up to this, all is delivered or set aside
  failing_since text COLLATE "C",
  last_delivery text COLLATE "C",
  last_problem  text COLLATE "C",
  lease_holder  text COLLATE "C", -- the process that delivers
  lease_until   text COLLATE "C",
  PRIMARY KEY (tenant, id)
);

-- Deliveries that failed, and those that wait behind them. The event itself stays where it is.
CREATE TABLE event_deliveries (
  tenant   text COLLATE "C" NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  type     text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL, -- of the resource
  state    text COLLATE "C" NOT NULL, -- waiting, dead
  attempts bigint NOT NULL,
  since    text COLLATE "C" NOT NULL,
  next     text COLLATE "C" NOT NULL, -- when it is tried again
  problem  text COLLATE "C",
  PRIMARY KEY (tenant, receiver, position)
);

-- What waits and what is dead, each in the order of positions.
CREATE INDEX event_deliveries_state ON event_deliveries (tenant, receiver, state, position);
