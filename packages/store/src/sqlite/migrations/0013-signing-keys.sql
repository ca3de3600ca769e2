-- The keys that sign Security Event Tokens.
-- oldest writer: 1

-- Keys are of the service: all rows have the tenant 'admin'.
CREATE TABLE signing_keys (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  public_key TEXT NOT NULL, -- JSON Web Key
  sealed     TEXT NOT NULL, -- the private one
  created    TEXT NOT NULL,
  signs_from TEXT NOT NULL,
  retires    TEXT, -- when it is not published any more
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
