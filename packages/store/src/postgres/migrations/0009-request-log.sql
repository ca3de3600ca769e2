-- What clients sent and were answered, redacted, and the runs that their requests form.
-- oldest writer: 1
--
-- A program without this migration logs no requests.

CREATE TABLE request_log (
  tenant     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL, -- grows with time
  at         text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  run        text COLLATE "C" NOT NULL,
  status     bigint NOT NULL,
  request    text COLLATE "C" NOT NULL, -- the id by which other logs know it
  type       text COLLATE "C",
  resource   text COLLATE "C",
  size       bigint NOT NULL, -- characters of the entry
  entry      text COLLATE "C" NOT NULL, -- JSON
  PRIMARY KEY (tenant, id)
);

CREATE INDEX request_log_run ON request_log (tenant, run, id);
CREATE INDEX request_log_connection ON request_log (tenant, connection, id);
CREATE INDEX request_log_resource ON request_log (tenant, type, resource, id);

CREATE TABLE request_runs (
  tenant     text COLLATE "C" NOT NULL,
  run        text COLLATE "C" NOT NULL,
  connection text COLLATE "C" NOT NULL,
  begun      text COLLATE "C" NOT NULL,
  ended      text COLLATE "C" NOT NULL,
  requests   bigint NOT NULL,
  failed     bigint NOT NULL,
  skipped    bigint NOT NULL, -- requests that were not logged
  size       bigint NOT NULL, -- characters of its entries
  PRIMARY KEY (tenant, run)
);

-- One for each connection that has sent requests: whoever adds entries holds it.
CREATE TABLE request_sources (
  tenant       text COLLATE "C" NOT NULL,
  connection   text COLLATE "C" NOT NULL,
  run          text COLLATE "C" NOT NULL,
  begun        text COLLATE "C" NOT NULL, -- of that run
  last         text COLLATE "C" NOT NULL,
  intervals    text COLLATE "C" NOT NULL, -- JSON array: milliseconds between the beginnings of runs
  silence_told text COLLATE "C",
  PRIMARY KEY (tenant, connection)
);
