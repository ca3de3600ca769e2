/**
 * Whom a guard names: resources, by their id or by a value that is unique.
 * @module
 */
import type {
  AttributeNode,
  HookedChange,
  ModelCatalog,
  ResourceModel,
  ResourceStore,
  StoreScope,
} from "@scim/core";
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

/** What is looked through for those who bear names. */
export interface NameBearers {
  readonly guard: Pick<GuardStore, "holders">;
  readonly resources: Pick<ResourceStore, "readMany">;
  readonly catalog: ModelCatalog;
}

const NOTHING_ELSE = { collections: [], inverses: [] };

/** Which of the names that a guard is to let pass nobody bears now, neither as an id nor as a value that is unique. */
export async function namesOfNobody(
  { guard, resources, catalog }: NameBearers,
  scope: StoreScope,
  named: readonly string[],
): Promise<readonly string[]> {
  let rest = [...new Set(named)];
  for (const model of catalog.models()) {
    if (rest.length === 0) return rest;
    const ids = rest.flatMap((name) => [name, name.toLowerCase()]);
    const found = await resources.readMany(scope, { type: model.name, ids }, NOTHING_ELSE);
    const there = new Set(found.map(({ id }) => id.toLowerCase()));
    rest = rest.filter((name) => !there.has(name.toLowerCase()));
    for (const { path, attribute } of uniqueNames(model)) {
      const unique = attribute.uniqueness === "global" ? "global" : `type:${model.name}`;
      const keys = keysOf(attribute, rest);
      const holders = await guard.holders(scope.tenant, { type: model.name, path, unique, keys });
      const held = new Set(holders.map(({ key }) => key));
      rest = rest.filter((name) => !keysOf(attribute, [name]).some((key) => held.has(key)));
    }
  }
  return rest;
}

/** What stands at the top of a resource and names it alone. */
function uniqueNames({ indexed }: ResourceModel): readonly AttributeNode[] {
  return indexed.filter(({ attribute, keys }) => keys.length === 1 && attribute.uniqueness !== "none");
}

/** By what values of an attribute are found: the same, however a name is written. */
function keysOf({ type, caseExact }: Attribute, values: readonly unknown[]): readonly ComparisonKey[] {
  return values.flatMap((value) => comparisonKey(type, caseExact, value) ?? []);
}
