/**
 * Checks hooks when a service is made, so that none is there that could never do what it is for.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import { capabilitiesOf } from "../store/capabilities.ts";
import type { ResourceStore } from "../store/port.ts";
import type { ResourceHooks } from "./resource-hooks.ts";

/**
 * Hooks by the name of their resource type.
 * @throws TypeError for a type that is not served, or whose store runs no statements of an application
 */
export function requireHooks(
  hooks: Readonly<Record<string, ResourceHooks>>,
  { registry, store }: { readonly registry: SchemaRegistry; readonly store: ResourceStore },
): ReadonlyMap<string, ResourceHooks> {
  const byType = new Map(Object.entries(hooks));
  for (const [type, given] of byType) {
    const definition = registry.resourceType(type);
    if (definition === undefined)
      throw new TypeError(`Hooks are given for ${type}, which is no resource type`);
    if (definition.rowsOf !== undefined) {
      throw new TypeError(
        `Hooks are given for ${type}, which shows rows of ${definition.rowsOf.type}: give them for that type`,
      );
    }
    if (given.statements !== undefined && !capabilitiesOf(store, type).statements) {
      throw new TypeError(
        `The hook 'statements' is given for ${type}, whose store runs no statements of an application in its transactions`,
      );
    }
  }
  return byType;
}
