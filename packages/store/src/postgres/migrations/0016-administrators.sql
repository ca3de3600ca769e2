-- Administrators who sign in by an issuer.
-- oldest writer: 1
--
-- A program without this migration takes the tokens of administrators alone, and refuses none of them for an owner.

-- Issuers are of the service: all rows have the tenant 'admin', here and below.
CREATE TABLE admin_issuers (
  tenant     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  issuer     text COLLATE "C" NOT NULL,
  jwks_uri   text COLLATE "C" NOT NULL,
  audience   text COLLATE "C" NOT NULL,
  claim      text COLLATE "C" NOT NULL, -- sub, oid
  algorithms text COLLATE "C" NOT NULL, -- JSON array of text
  state      text COLLATE "C" NOT NULL, -- active, suspended
  created    text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  revision   bigint NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
);

-- Issuer and audience lead to one row.
CREATE UNIQUE INDEX admin_issuers_claims ON admin_issuers (tenant, issuer, audience);

CREATE TABLE admin_identities (
  tenant     text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  issuer     text COLLATE "C" NOT NULL, -- id of its row
  subject    text COLLATE "C" NOT NULL,
  name       text COLLATE "C" NOT NULL,
  scope      text COLLATE "C" NOT NULL, -- admin, admin:operator, admin:support, admin:tenant:NAME
  expires    text COLLATE "C",
  created    text COLLATE "C" NOT NULL,
  created_by text COLLATE "C",
  revision   bigint NOT NULL, -- counts the changes of the row
  PRIMARY KEY (tenant, id)
);

-- Issuer and subject are one administrator.
CREATE UNIQUE INDEX admin_identities_subject ON admin_identities (tenant, issuer, subject);
