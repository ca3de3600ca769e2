/**
 * The resource types that a server serves.
 * @module
 */
import { createDefaultRegistry, createSchemaRegistry, type SchemaRegistry } from "@scim/schemas";
import type { Logger } from "pino";
import { addGroupMemberships } from "./group-memberships.ts";
import { noticeUnknownAttributes } from "./named-attributes.ts";
import { loadSchemaFolder } from "./schema-folder.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";

/** Notices that a start tells: hundreds of documents have more of them than anybody reads. */
const MOST_TOLD = 50;

/** What tenants have without documents of their own. */
export interface ServiceRegistries {
  /** The built-in types, and those that settings add for all. */
  readonly shared: SchemaRegistry;
  /** What a tenant has: for the tenant `default` also the documents of the setting `schemas`. */
  of(tenant: string): SchemaRegistry;
}

/**
 * The built-in types and those that settings add.
 * @param log told what documents should change, and which attributes settings name in vain
 * @throws CommandFailure where documents cannot be used
 */
export function loadRegistries(settings: Settings, log: Logger): ServiceRegistries {
  const shared = createDefaultRegistry();
  const own = settings.schemas === null ? shared : createSchemaRegistry(shared);
  if (settings.schemas !== null) loadFolder(settings.schemas, own, log);
  if (settings.groupMemberships === "on")
    for (const registry of new Set([shared, own])) addGroupMemberships(registry);
  noticeUnknownAttributes(settings, own, log);
  return { shared, of: (tenant) => (tenant === DEFAULT_TENANT ? own : shared) };
}

function loadFolder(folder: string, registry: SchemaRegistry, log: Logger): void {
  const { schemas, resourceTypes, notices } = loadSchemaFolder(folder, registry);
  log.info({ folder, schemas: schemas.length, resourceTypes: resourceTypes.length }, "documents loaded");
  for (const notice of notices.slice(0, MOST_TOLD))
    log.warn(notice, "a document should be changed, though it is accepted");
  const more = notices.length - MOST_TOLD;
  if (more > 0) log.warn({ folder, more }, "scim schema validate tells what else documents should change");
}
