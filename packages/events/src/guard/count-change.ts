/**
 * What a change counts for a guard.
 * @module
 */
import type { HookedChange, ModelCatalog } from "@scim/core";
import { type Names, withIds } from "./named.ts";
import type { GuardMeasure, GuardPlace, GuardStore } from "./port.ts";
import { MOST_VALUES } from "./removed-values.ts";

/** A change as it is counted. */
export interface Counted {
  readonly measure: GuardMeasure;
  readonly by: number;
  /** Ids that go from collections, at most {@link MOST_VALUES}. */
  readonly values: readonly string[];
  /** Ids that go with them and count for nothing, since they are named. */
  readonly named: readonly string[];
}

/** What counting needs to know. */
export interface CountRules {
  /** Who is never counted. */
  readonly named: Names;
  /** Tells which values are unique. */
  readonly catalog: ModelCatalog;
}

/**
 * What a change may count as; nothing for most.
 * @param deactivating boolean attributes whose false switches a resource off, in lower case
 */
export function measuresOf(change: HookedChange, deactivating: ReadonlySet<string>): readonly GuardMeasure[] {
  const { kind, changes } = change;
  if (kind === "deleted") return ["deletions"];
  const removes =
    changes.collections.some(({ remove }) => remove === "all" || remove.length > 0) ||
    changes.longCollections.some(({ removed }) => removed > 0);
  const isOff = isSwitchedOff(change, deactivating);
  return [...(isOff ? (["deactivations"] as const) : []), ...(removes ? (["removals"] as const) : [])];
}

/** What a change counts: nothing, where all that it takes out is named. */
export async function countChange(
  store: Pick<GuardStore, "references" | "holders">,
  { tenant, measure }: Pick<GuardPlace, "tenant" | "measure">,
  { change, rules }: { readonly change: HookedChange; readonly rules: CountRules },
): Promise<Counted> {
  if (measure !== "removals") return { measure, by: 1, values: [], named: [] };
  return countRemovals(store, tenant, { change, rules });
}

/** A resource that never said whether it is active is. */
function isSwitchedOff({ before, after }: HookedChange, names: ReadonlySet<string>): boolean {
  if (before === null || after === null) return false;
  return Object.keys(after).some(
    (name) => after[name] === false && before[name] !== false && names.has(name.toLowerCase()),
  );
}

const NOBODY: Names = new Map();

async function countRemovals(
  store: Pick<GuardStore, "references" | "holders">,
  tenant: string,
  { change, rules }: { readonly change: HookedChange; readonly rules: CountRules },
): Promise<Counted> {
  const { type, id, changes } = change;
  let by = changes.longCollections.reduce((sum, { removed }) => sum + removed, 0);
  // A value may go from several collections: it is listed once, and counts each time.
  const values = new Set<string>();
  const passed = new Set<string>();
  const taken = changes.collections.filter(({ remove }) => remove === "all" || remove.length > 0);
  const named = await withIds(store, rules.catalog, {
    tenant,
    names: taken.length === 0 ? NOBODY : rules.named,
  });
  for (const { path, remove } of taken) {
    if (remove === "all") {
      const all = { type, id, path };
      const among = [...named].flat();
      by += await store.references(tenant, all);
      if (named.size > 0) by -= await store.references(tenant, { ...all, among });
      continue;
    }
    for (const value of remove) {
      const isNamed = named.has(value.toLowerCase());
      if (!isNamed) by += 1;
      const listed = isNamed ? passed : values;
      if (listed.size < MOST_VALUES) listed.add(value);
    }
  }
  return { measure: "removals", by, values: [...values], named: [...passed] };
}
