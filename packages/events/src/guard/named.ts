/**
 * Whom a guard names: resources, by their id or by a value that is unique.
 * @module
 */
import type { AttributeNode, HookedChange, ModelCatalog, ResourceModel } from "@scim/core";
import { comparisonKey, type ComparisonKey } from "@scim/filter";
import type { Attribute } from "@scim/schemas";
import type { GuardStore } from "./port.ts";

/** Ids and unique names as they are spelled, by their lower case. */
export type Names = ReadonlyMap<string, string>;

/** Names by which resources are found whatever their letter case. */
export function namesOf(spelled: readonly string[]): Names {
  return new Map(spelled.map((name) => [name.toLowerCase(), name]));
}

/** Whether a resource is one of those that are named. */
export function isNamed(catalog: ModelCatalog, { type, id, before }: HookedChange, names: Names): boolean {
  if (names.size === 0) return false;
  if (names.has(id.toLowerCase())) return true;
  return uniqueNames(catalog.model(type)).some(({ attribute }) => {
    const [key] = keysOf(attribute, [before?.[attribute.name]]);
    return key !== undefined && keysOf(attribute, [...names.values()]).includes(key);
  });
}

/** The names, and the ids of all who bear them: a reference tells nothing but an id. */
export async function withIds(
  store: Pick<GuardStore, "holders">,
  catalog: ModelCatalog,
  { tenant, names }: { readonly tenant: string; readonly names: Names },
): Promise<Names> {
  const found = new Map(names);
  if (names.size === 0) return found;
  for (const model of catalog.models()) {
    for (const { path, attribute } of uniqueNames(model)) {
      const keys = keysOf(attribute, [...names.values()]);
      const unique = attribute.uniqueness === "global" ? "global" : `type:${model.name}`;
      const holders = await store.holders(tenant, { type: model.name, path, unique, keys });
      for (const { id } of holders) found.set(id.toLowerCase(), id);
    }
  }
  return found;
}

/** What stands at the top of a resource and names it alone. */
function uniqueNames({ indexed }: ResourceModel): readonly AttributeNode[] {
  return indexed.filter(({ attribute, keys }) => keys.length === 1 && attribute.uniqueness !== "none");
}

/** By what values of an attribute are found: the same, however a name is written. */
function keysOf({ type, caseExact }: Attribute, values: readonly unknown[]): readonly ComparisonKey[] {
  return values.flatMap((value) => comparisonKey(type, caseExact, value) ?? []);
}
