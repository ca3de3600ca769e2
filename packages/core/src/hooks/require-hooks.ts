/**
 * Checks hooks when a service is made, so that none is there that could never do what it is for.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import { capabilitiesOf } from "../store/capabilities.ts";
import type { ResourceStore } from "../store/port.ts";
import { requireTime } from "../time-limit.ts";
import type { HookedChange, ResourceHooks } from "./resource-hooks.ts";

/**
 * Hooks by the name of their resource type.
 * @throws TypeError for a type that is not served, or whose store runs no statements of an application; for a hook that is
 * no function, a kind of change that there is not, and a time that is no number above 0
 */
export function requireHooks(
  hooks: Readonly<Record<string, ResourceHooks>>,
  { registry, store }: { readonly registry: SchemaRegistry; readonly store: ResourceStore },
): ReadonlyMap<string, ResourceHooks> {
  const byType = new Map(Object.entries(hooks));
  for (const [type, given] of byType) {
    requireMembers(type, given);
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

/** The kinds of changes that hooks may ask for. */
const KINDS: Readonly<Record<HookedChange["kind"], true>> = {
  created: true,
  replaced: true,
  patched: true,
  deleted: true,
};

/** What programs without types may give: a misspelt kind, or a function in the place of hooks, would never be asked. */
function requireMembers(type: string, given: Partial<ResourceHooks> | undefined): void {
  const fail = (what: string): TypeError => new TypeError(`The hooks of ${type} ${what}`);
  if (typeof given !== "object" || given === null) throw fail("are no object with 'plan' or 'statements'");
  for (const name of ["plan", "statements", "refusal"] as const)
    if (given[name] !== undefined && typeof given[name] !== "function")
      throw fail(`have a '${name}' that is no function`);
  const { kinds = [], timeout } = given;
  const odd = kinds.find((kind) => !Object.hasOwn(KINDS, kind));
  if (odd !== undefined)
    throw fail(`ask for changes of the kind '${odd}': there are ${Object.keys(KINDS).join(", ")}`);
  if (timeout !== undefined) requireTime("timeout", timeout);
}
