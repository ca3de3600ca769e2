-- Tenants, connections and tokens that can be administered.
-- oldest writer: 1
--
-- Programs without this migration write tokens of tenants and connections that have no row: those count as active.

ALTER TABLE tenants ADD COLUMN state TEXT NOT NULL DEFAULT 'active'; -- active, suspended, deleted
ALTER TABLE tenants ADD COLUMN display_name TEXT;
ALTER TABLE tenants ADD COLUMN revision INTEGER NOT NULL DEFAULT 1; -- counts the changes of the row

ALTER TABLE connections ADD COLUMN state TEXT NOT NULL DEFAULT 'active'; -- active, suspended
ALTER TABLE connections ADD COLUMN profile TEXT; -- none: that of the settings
ALTER TABLE connections ADD COLUMN switches TEXT NOT NULL DEFAULT '[]'; -- JSON array: names, a minus turns off
ALTER TABLE connections ADD COLUMN limits TEXT NOT NULL DEFAULT '{}'; -- JSON object
ALTER TABLE connections ADD COLUMN revision INTEGER NOT NULL DEFAULT 1; -- counts the changes of the row

ALTER TABLE tokens ADD COLUMN name TEXT;
ALTER TABLE tokens ADD COLUMN created_by TEXT;
ALTER TABLE tokens ADD COLUMN last_used TEXT;
ALTER TABLE tokens ADD COLUMN revoked TEXT; -- when; the hash is gone then, so that no program finds it
ALTER TABLE tokens ADD COLUMN scheme TEXT NOT NULL DEFAULT 'keyed'; -- how the hash was made: keyed, sha256, hmac-sha256, bcrypt
ALTER TABLE tokens ADD COLUMN sealed_key TEXT; -- key of hmac-sha256, sealed

INSERT INTO tenants (tenant, created)
  SELECT tenant, MIN(created) FROM tokens WHERE tenant <> 'admin' GROUP BY tenant ON CONFLICT DO NOTHING;
INSERT INTO tenants (tenant, created)
  SELECT tenant, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM resource_counters WHERE tenant <> 'admin' GROUP BY tenant ON CONFLICT DO NOTHING;
INSERT INTO connections (tenant, connection, created)
  SELECT tenant, connection, MIN(created) FROM tokens WHERE tenant <> 'admin' GROUP BY tenant, connection
  ON CONFLICT DO NOTHING;
