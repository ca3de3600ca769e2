-- The keys that sign Security Event Tokens.
-- oldest writer: 1

-- Keys are of the service: all rows have the tenant 'admin'.
CREATE TABLE signing_keys (
  tenant     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  public_key text COLLATE "C" NOT NULL, -- JSON Web Key
  sealed     text COLLATE "C" NOT NULL, -- the private one
  created    text COLLATE "C" NOT NULL,
  signs_from text COLLATE "C" NOT NULL,
  retires    text COLLATE "C", -- when it is not published any more
  PRIMARY KEY (tenant, id)
);
