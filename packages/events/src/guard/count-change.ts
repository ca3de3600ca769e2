/**
 * What a change counts for a guard.
 * @module
 */
import type { HookedChange, ModelCatalog } from "@scim/core";
import { type Names, withIds } from "./named.ts";
import type { GuardMeasure, GuardStore } from "./port.ts";
import { MOST_VALUES } from "./removed-values.ts";

/** A change as it is counted. */
export interface Counted {
  readonly measure: GuardMeasure;
  readonly by: number;
  /** Ids that go from collections, at most {@link MOST_VALUES}. */
  readonly values: readonly string[];
}

/** What counting needs to know. */
export interface CountRules {
  /** Boolean attributes whose false switches a resource off. */
  readonly deactivating: readonly string[];
  /** Who is never counted. */
  readonly named: Names;
  /** Tells which values are unique. */
  readonly catalog: ModelCatalog;
}

/** What a change counts; null where it counts for nothing. */
export async function countChange(
  store: Pick<GuardStore, "references" | "holders">,
  tenant: string,
  { change, rules }: { readonly change: HookedChange; readonly rules: CountRules },
): Promise<Counted | null> {
  if (change.kind === "deleted") return { measure: "deletions", by: 1, values: [] };
  if (rules.deactivating.some((name) => isSwitchedOff(change, name)))
    return { measure: "deactivations", by: 1, values: [] };
  return countRemovals(store, tenant, { change, rules });
}

/** Whether a change may count for anything: most do not, and are asked nothing more. */
export function mayCount({ kind, changes }: HookedChange, deactivating: readonly string[]): boolean {
  return (
    kind === "deleted" ||
    changes.collections.some(({ remove }) => remove === "all" || remove.length > 0) ||
    changes.longCollections.some(({ removed }) => removed > 0) ||
    deactivating.some((name) => changes.attributes.includes(name))
  );
}

/** A resource that never said whether it is active is. */
function isSwitchedOff({ before, after }: HookedChange, name: string): boolean {
  return before !== null && before[name] !== false && after?.[name] === false;
}

const NOBODY: Names = new Map();

async function countRemovals(
  store: Pick<GuardStore, "references" | "holders">,
  tenant: string,
  { change, rules }: { readonly change: HookedChange; readonly rules: CountRules },
): Promise<Counted | null> {
  const { type, id, changes } = change;
  let by = changes.longCollections.reduce((sum, { removed }) => sum + removed, 0);
  // A value may go from several collections: it is listed once, and counts each time.
  const values = new Set<string>();
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
    const gone = remove.filter((value) => !named.has(value.toLowerCase()));
    by += gone.length;
    for (const value of gone) if (values.size < MOST_VALUES) values.add(value);
  }
  return by === 0 ? null : { measure: "removals", by, values: [...values] };
}
