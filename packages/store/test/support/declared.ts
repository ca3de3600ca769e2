/**
 * Declares the indexes that a service wants, before anything is written, so that its queries use them at once.
 * @module
 */
import { createModelCatalog, indexSource, type ResourceStore } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import { IndexKeeper } from "../../src/indexes/keeper.ts";

/** Declares what the types of a registry want, for a tenant; where the store keeps indexes. */
export async function declareWanted(
  { indexes }: ResourceStore,
  registry: SchemaRegistry,
  tenant: string,
): Promise<void> {
  if (!(indexes instanceof IndexKeeper)) return;
  for (const { type, path } of indexSource(createModelCatalog(registry)).wanted()) {
    if (!indexes.of(tenant, type).always.includes(path)) await indexes.declare({ tenant, type, path });
  }
}
