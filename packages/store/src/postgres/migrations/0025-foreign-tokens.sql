-- Tokens that were imported and that no look-up by a hash finds: they are asked for with each text that is no token.
-- oldest writer: 1

CREATE INDEX tokens_foreign ON tokens (tenant)
  WHERE scheme <> 'keyed' AND scheme <> 'sha256' AND revoked IS NULL;
