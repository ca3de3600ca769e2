-- OAuth clients of connections: what they prove themselves with, and the access tokens that they were given.
-- oldest writer: 1
--
-- A program without this migration deletes a connection without its clients: those get no access token any more.

CREATE TABLE oauth_clients (
  tenant         TEXT NOT NULL,
  id             TEXT NOT NULL,
  connection     TEXT NOT NULL,
  name           TEXT,
  state          TEXT NOT NULL, -- active, suspended
  scopes         TEXT NOT NULL, -- JSON array of text
  token_lifetime INTEGER NOT NULL, -- seconds
  created        TEXT NOT NULL,
  created_by     TEXT,
  revision       INTEGER NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- The keyed hash of a secret, never its text.
CREATE TABLE client_secrets (
  tenant     TEXT NOT NULL,
  client     TEXT NOT NULL,
  id         TEXT NOT NULL,
  hash       TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  created    TEXT NOT NULL,
  created_by TEXT,
  expires    TEXT NOT NULL,
  last_used  TEXT,
  PRIMARY KEY (tenant, client, id)
) STRICT, WITHOUT ROWID;

-- Foreign issuers whose JWTs stand for a client.
CREATE TABLE client_trusts (
  tenant      TEXT NOT NULL,
  client      TEXT NOT NULL,
  id          TEXT NOT NULL,
  purpose     TEXT NOT NULL, -- assertion, access-token
  issuer      TEXT NOT NULL,
  jwks_uri    TEXT NOT NULL,
  audience    TEXT NOT NULL,
  claim       TEXT NOT NULL, -- sub, client_id, azp, appid
  subject     TEXT NOT NULL,
  require_jti INTEGER NOT NULL, -- 0, 1
  created     TEXT NOT NULL,
  created_by  TEXT,
  PRIMARY KEY (tenant, client, id)
) STRICT, WITHOUT ROWID;

-- The claims of an access token lead to one client at most.
CREATE UNIQUE INDEX client_trusts_claims ON client_trusts (tenant, issuer, subject, audience, claim)
  WHERE purpose = 'access-token';

CREATE TABLE access_tokens (
  tenant     TEXT NOT NULL,
  hash       TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  client     TEXT NOT NULL,
  credential TEXT NOT NULL, -- the secret or trust that it was given for
  scopes     TEXT NOT NULL, -- JSON array of text
  created    TEXT NOT NULL,
  expires    TEXT NOT NULL,
  PRIMARY KEY (tenant, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX access_tokens_client ON access_tokens (tenant, client, credential);
CREATE INDEX access_tokens_expires ON access_tokens (tenant, expires);

-- Assertions that must not be used again.
CREATE TABLE used_assertions (
  tenant  TEXT NOT NULL,
  client  TEXT NOT NULL,
  jti     TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (tenant, client, jti)
) STRICT, WITHOUT ROWID;

CREATE INDEX used_assertions_expires ON used_assertions (tenant, expires);
