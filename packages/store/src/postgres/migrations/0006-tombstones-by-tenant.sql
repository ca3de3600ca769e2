-- Tombstones are purged tenant by tenant.
-- oldest writer: 1

CREATE INDEX resources_tombstones ON resources (tenant, deleted, type, id) WHERE deleted IS NOT NULL;
