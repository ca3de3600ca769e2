-- Administrators who sign in by an issuer.
-- oldest writer: 1
--
-- A program without this migration takes the tokens of administrators alone, and refuses none of them for an owner.

-- Issuers are of the service: all rows have the tenant 'admin', here and below.
CREATE TABLE admin_issuers (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  issuer     TEXT NOT NULL,
  jwks_uri   TEXT NOT NULL,
  audience   TEXT NOT NULL,
  claim      TEXT NOT NULL, -- sub, oid
  algorithms TEXT NOT NULL, -- JSON array of text
  state      TEXT NOT NULL, -- active, suspended
  created    TEXT NOT NULL,
  created_by TEXT,
  revision   INTEGER NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Issuer and audience lead to one row.
CREATE UNIQUE INDEX admin_issuers_claims ON admin_issuers (tenant, issuer, audience);

CREATE TABLE admin_identities (
  tenant     TEXT NOT NULL,
  id         TEXT NOT NULL,
  issuer     TEXT NOT NULL, -- id of its row
  subject    TEXT NOT NULL,
  name       TEXT NOT NULL,
  scope      TEXT NOT NULL, -- admin, admin:operator, admin:support, admin:tenant:NAME
  expires    TEXT,
  created    TEXT NOT NULL,
  created_by TEXT,
  revision   INTEGER NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- Issuer and subject are one administrator.
CREATE UNIQUE INDEX admin_identities_subject ON admin_identities (tenant, issuer, subject);
