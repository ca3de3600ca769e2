-- Schema and ResourceType documents that tenants have beside those of the service.
-- oldest writer: 1
--
-- A program without this migration serves every tenant by the documents of the service.

ALTER TABLE tenants ADD COLUMN documents bigint NOT NULL DEFAULT 0; -- counts the changes of its documents

CREATE TABLE tenant_documents (
  tenant   text COLLATE "C" NOT NULL,
  name     text COLLATE "C" NOT NULL, -- URN of a schema in lower case, or name of a resource type
  kind     text COLLATE "C" NOT NULL, -- Schema, ResourceType
  document text COLLATE "C" NOT NULL, -- JSON
  changed  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, name)
);
