-- By which revision of a tenant's schemas new resources of a type must be made.
-- oldest writer: 1
--
-- A program without this migration may, while it believes former schemas, store a resource of a type that went.

ALTER TABLE resource_counters ADD COLUMN schemas INTEGER NOT NULL DEFAULT 0;
