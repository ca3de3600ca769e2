-- OAuth clients of connections: what they prove themselves with, and the access tokens that they were given.
-- oldest writer: 1
--
-- A program without this migration deletes a connection without its clients: those get no access token any more.

CREATE TABLE oauth_clients (
  tenant         text COLLATE "C" NOT NULL,
  id             text COLLATE "C" NOT NULL,
  connection     text COLLATE "C" NOT NULL,
  name           text COLLATE "C",
  state          text COLLATE "C" NOT NULL, -- active, suspended
  scopes         text COLLATE "C" NOT NULL, -- JSON array of text
  token_lifetime bigint NOT NULL, -- seconds
  created        text COLLATE "C" NOT NULL,
  created_by     text COLLATE "C",
  revision       bigint NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
);

-- The keyed hash of a secret, never its text.
CREATE TABLE client_secrets (
  tenant     text COLLATE "C" NOT NULL,
  client     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  hash       text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  created    text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  expires    text COLLATE "C" NOT NULL,
  last_used  text COLLATE "C",
  PRIMARY KEY (tenant, client, id)
);

-- Foreign issuers whose JWTs stand for a client.
CREATE TABLE client_trusts (
  tenant      text COLLATE "C" NOT NULL,
  client      text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  purpose     text COLLATE "C" NOT NULL, -- assertion, access-token
  issuer      text COLLATE "C" NOT NULL,
  jwks_uri    text COLLATE "C" NOT NULL,
  audience    text COLLATE "C" NOT NULL,
  claim       text COLLATE "C" NOT NULL, -- sub, client_id, azp, appid
  subject     text COLLATE "C" NOT NULL,
  require_jti bigint NOT NULL, -- 0, 1
  created     text COLLATE "C" NOT NULL,
  created_by  text COLLATE "C",
  PRIMARY KEY (tenant, client, id)
);

-- The claims of an access token lead to one client at most.
CREATE UNIQUE INDEX client_trusts_claims ON client_trusts (tenant, issuer, subject, audience, claim)
  WHERE purpose = 'access-token';

CREATE TABLE access_tokens (
  tenant     text COLLATE "C" NOT NULL,
  hash       text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  client     text COLLATE "C" NOT NULL,
  credential text COLLATE "C" NOT NULL, -- the secret or trust that it was given for
  scopes     text COLLATE "C" NOT NULL, -- JSON array of text
  created    text COLLATE "C" NOT NULL,
  expires    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, hash)
);

CREATE INDEX access_tokens_client ON access_tokens (tenant, client, credential);
CREATE INDEX access_tokens_expires ON access_tokens (tenant, expires);

-- Assertions that must not be used again.
CREATE TABLE used_assertions (
  tenant  text COLLATE "C" NOT NULL,
  client  text COLLATE "C" NOT NULL,
  jti     text COLLATE "C" NOT NULL,
  expires text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, client, jti)
);

CREATE INDEX used_assertions_expires ON used_assertions (tenant, expires);
