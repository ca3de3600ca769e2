-- Schema and ResourceType documents that tenants have beside those of the service.
-- oldest writer: 1
--
-- A program without this migration serves every tenant by the documents of the service.

ALTER TABLE tenants ADD COLUMN documents INTEGER NOT NULL DEFAULT 0; -- counts the changes of its documents

CREATE TABLE tenant_documents (
  tenant   TEXT NOT NULL,
  name     TEXT NOT NULL, -- URN of a schema in lower case, or name of a resource type
  kind     TEXT NOT NULL, -- Schema, ResourceType
  document TEXT NOT NULL, -- JSON
  changed  TEXT NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
