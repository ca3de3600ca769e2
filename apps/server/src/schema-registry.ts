/**
 * The resource types that a server serves.
 * @module
 */
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import type { Logger } from "pino";
import { addGroupMemberships } from "./group-memberships.ts";
import { loadSchemaFolder } from "./schema-folder.ts";
import type { Settings } from "./settings/table.ts";

/**
 * The built-in types and those that settings add.
 * @throws CommandFailure where documents cannot be used
 */
export function loadRegistry(settings: Settings, log: Logger): SchemaRegistry {
  const registry = createDefaultRegistry();
  if (settings.schemas !== null) loadFolder(settings.schemas, registry, log);
  if (settings.groupMemberships === "on") addGroupMemberships(registry);
  return registry;
}

function loadFolder(folder: string, registry: SchemaRegistry, log: Logger): void {
  const { schemas, resourceTypes, notices } = loadSchemaFolder(folder, registry);
  log.info({ folder, schemas: schemas.length, resourceTypes: resourceTypes.length }, "documents loaded");
  for (const notice of notices) log.warn(notice, "a document should be changed, though it is accepted");
}
