-- What clients sent and were answered, redacted, and the runs that their requests form.
-- oldest writer: 1
--
-- A program without this migration logs no requests.

CREATE TABLE request_log (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL, -- grows with time
  at         TEXT NOT NULL,
  connection TEXT NOT NULL,
  run        TEXT NOT NULL,
  status     INTEGER NOT NULL,
  request    TEXT NOT NULL, -- the id by which other logs know it
  type       TEXT,
  resource   TEXT,
  size       INTEGER NOT NULL, -- characters of the entry
  entry      TEXT NOT NULL, -- JSON
  PRIMARY KEY (tenant, id)
) STRICT;

CREATE INDEX request_log_run ON request_log (tenant, run, id);
CREATE INDEX request_log_connection ON request_log (tenant, connection, id);
CREATE INDEX request_log_resource ON request_log (tenant, type, resource, id);

CREATE TABLE request_runs (
  tenant     TEXT NOT NULL,
  run        TEXT NOT NULL,
  connection TEXT NOT NULL,
  begun      TEXT NOT NULL,
  ended      TEXT NOT NULL,
  requests   INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  skipped    INTEGER NOT NULL, -- requests that were not logged
  size       INTEGER NOT NULL, -- characters of its entries
  PRIMARY KEY (tenant, run)
) STRICT, WITHOUT ROWID;

-- One for each connection that has sent requests: whoever adds entries holds it.
CREATE TABLE request_sources (
  tenant       TEXT NOT NULL,
  connection   TEXT NOT NULL,
  run          TEXT NOT NULL,
  begun        TEXT NOT NULL, -- of that run
  last         TEXT NOT NULL,
  intervals    TEXT NOT NULL, -- JSON array: milliseconds between the beginnings of runs
  silence_told TEXT,
  PRIMARY KEY (tenant, connection)
) STRICT, WITHOUT ROWID;
