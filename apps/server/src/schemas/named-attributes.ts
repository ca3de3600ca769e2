/**
 * What is said at a start of attributes that settings name, and nothing has.
 * @module
 */
import { createModelCatalog, findAttribute } from "@scim/core";
import { parseAttributePath, parsedOrNull } from "@scim/filter";
import type { SchemaRegistry } from "@scim/schemas";
import type { Logger } from "pino";
import type { Settings } from "../settings/table.ts";

/** The settings that name attributes. */
type NamingSettings = Pick<Settings, "filter.sensitiveAttributes" | "guard.deactivating">;

/**
 * Warns of each attribute that a setting names and no resource type has: where it is misspelt nothing is refused or guarded, and
 * nobody would notice. Types that tenants add later may have it.
 */
export function noticeUnknownAttributes(
  settings: NamingSettings,
  registry: SchemaRegistry,
  log: Pick<Logger, "warn">,
): void {
  const unknown = {
    "filter.sensitiveAttributes": unknownPaths(settings["filter.sensitiveAttributes"] ?? [], registry),
    "guard.deactivating": settings["guard.deactivating"].filter((name) => !isBoolean(name, registry)),
  };
  for (const [setting, attributes] of Object.entries(unknown))
    for (const attribute of attributes)
      log.warn(
        { setting, attribute },
        "a setting names an attribute that no resource type of the service has so, and does nothing by it",
      );
}

/** An attribute of an extension is named with its URN here, as in the paths that filters are compared by. */
function unknownPaths(paths: readonly string[], registry: SchemaRegistry): readonly string[] {
  // Models take time to make, and most settings name none.
  if (paths.length === 0) return [];
  const models = createModelCatalog(registry).models();
  return paths.filter((path) => {
    // The form of the setting lets more pass behind `urn:` than the URN of a schema.
    const parsed = parsedOrNull(() => parseAttributePath(path));
    return parsed === null || !models.some((model) => findAttribute(model, parsed)?.unqualified === false);
  });
}

/** Whether a resource type has a boolean of the name, beside its extensions. */
function isBoolean(name: string, registry: SchemaRegistry): boolean {
  const lower = name.toLowerCase();
  return registry
    .resourceTypes()
    .flatMap(({ schema }) => registry.schema(schema)?.attributes ?? [])
    .some((attribute) => attribute.type === "boolean" && attribute.name.toLowerCase() === lower);
}
