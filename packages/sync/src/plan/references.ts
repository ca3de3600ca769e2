/**
 * Compares lists of references, such as the members of groups, with what records ask for.
 * @module
 */
import type { SyncState } from "../state/sync-state.ts";
import { digestOf, type Desired } from "./desired.ts";
import type { ListChange } from "./list-changes.ts";
import type { TypePlan } from "./type-plan.ts";

/** A resource whose lists of references are compared. */
export interface Referring {
  readonly desired: Desired;
  /** Null where it is created. */
  readonly id: string | null;
  /** Ids that its lists hold; null where nothing has changed. */
  readonly held: readonly (readonly string[])[] | null;
}

/** What references are compared with. */
export interface ReferenceContext {
  /** By name of the resource type. */
  readonly plans: ReadonlyMap<string, TypePlan>;
  readonly state: SyncState;
}

/** What a list of references needs, and the keys that belong to nothing. */
export interface ComparedReferences {
  readonly changes: readonly ListChange[];
  readonly unknown: readonly string[];
  /** Ids that each list holds afterwards, as far as they are known before. */
  readonly ids: readonly string[];
}

/** Compares the lists of a resource. */
export function compareReferences(
  { desired, id, held }: Referring,
  context: ReferenceContext,
): ComparedReferences {
  const unknown: string[] = [];
  const ids = new Set<string>();
  const changes = desired.section.references.flatMap((reference, at): readonly ListChange[] => {
    const current = new Set(held?.[at]);
    const wanted = new Set<string>();
    const add: string[] = [];
    for (const key of desired.references[at] ?? []) {
      const found = idOf(key, reference.to, context);
      if (found === undefined) unknown.push(key);
      else if (found === null) add.push(key);
      else {
        wanted.add(found);
        if (!current.has(found)) add.push(key);
      }
    }
    if (held === null) return [];
    for (const each of wanted) ids.add(each);
    const remove = [...current].filter((each) => !wanted.has(each));
    if (add.length === 0 && remove.length === 0) return [];
    return [{ at, id, add, remove }];
  });
  return { changes, unknown, ids: [...ids] };
}

/**
 * Whether the references of a resource lead elsewhere than when they were applied: a record is there now that was missing,
 * or its resource is another one.
 * @param applied digest of the ids that they were applied with
 */
export function leadElsewhere(desired: Desired, applied: string, context: ReferenceContext): boolean {
  const ids = new Set<string>();
  for (const [at, { to }] of desired.section.references.entries()) {
    for (const key of desired.references[at] ?? []) {
      const found = idOf(key, to, context);
      if (found === null) return true;
      if (found !== undefined) ids.add(found);
    }
  }
  return digestOf(ids) !== applied;
}

/** The id of what a key names; null where it is yet to be created, undefined where nothing has the key. */
function idOf(key: string, type: string, { plans, state }: ReferenceContext): string | null | undefined {
  const plan = plans.get(type);
  const matched = plan?.matched.get(key);
  if (matched !== undefined) return matched.id;
  if (plan?.isRefused(key) !== true && plan?.asked.desired.has(key) === true) return null;
  if (plan?.isDeleted(key) === true || plan?.forgotten.has(key) === true) return undefined;
  return state.known(type).get(key)?.id;
}
