-- Tokens that were revoked, or have ended: the purge finds them by when that was.
-- oldest writer: 1

CREATE INDEX tokens_revoked ON tokens (tenant, revoked, id) WHERE revoked IS NOT NULL;
CREATE INDEX tokens_ended ON tokens (tenant, expires, id) WHERE expires IS NOT NULL;
