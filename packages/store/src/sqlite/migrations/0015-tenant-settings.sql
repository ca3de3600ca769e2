-- What tenants have of their own: limits that are narrower than the service's, and how long what is over is kept.
-- oldest writer: 1
--
-- A program without this migration keeps to the settings of the service.

ALTER TABLE tenants ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'; -- JSON object
