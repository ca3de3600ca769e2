/**
 * Goes through what is planned for a type: compares the lists of references, and counts.
 * @module
 */
import type { SyncState } from "../state/sync-state.ts";
import type { RecordFault } from "./desired.ts";
import type { ListChange } from "./list-changes.ts";
import type { PlanCounts } from "./plan.ts";
import { compareReferences, type Referring } from "./references.ts";
import type { Named } from "./spilled-steps.ts";
import type { TypePlan } from "./type-plan.ts";

/** What lists are compared with. */
interface Comparing {
  /** By name of the resource type. */
  readonly plans: ReadonlyMap<string, TypePlan>;
  readonly state: SyncState;
  /** Takes the keys that belong to nothing. */
  readonly unknown: UnknownReferences;
}

/** What becomes of the lists of references of a type. */
export interface ListCounts {
  /** Lists that change. */
  readonly lists: number;
  /** Resources that are there, and of which nothing but lists changes. */
  readonly alone: number;
  /** Of these, resources that a run made which did not come to their lists. */
  readonly unfinished: number;
  readonly add: number;
  readonly remove: number;
}

/** Compares the lists of references of a type. */
export function compareLists(own: TypePlan, { plans, state, unknown }: Comparing): ListCounts {
  const counts = { lists: 0, alone: 0, unfinished: 0, add: 0, remove: 0 };
  for (const each of referring(own)) {
    const { key } = each.desired;
    const compared = compareReferences(each, { plans, state });
    own.lists.set(key, compared.changes, compared.ids);
    unknown.add(`${own.type} ${key}`, compared.unknown);
    counts.lists += compared.changes.length;
    if (compared.changes.length > 0 && each.id !== null && !own.isUpdated(key)) {
      counts.alone += 1;
      if (isUnfinished({ type: own.type, key }, compared.changes, state)) counts.unfinished += 1;
    }
    counts.add += sumOf(compared.changes, ({ add }) => add.length);
    counts.remove += sumOf(compared.changes, ({ remove }) => remove.length);
  }
  return counts;
}

/** Whether a resource was made without a word of its lists so far: a run that is broken off goes on with what it made. */
function isUnfinished({ type, key }: Named, changes: readonly ListChange[], state: SyncState): boolean {
  if (changes.some(({ remove }) => remove.length > 0)) return false;
  const known = state.known(type).get(key);
  if (known === undefined) return state.tried.has(type, key);
  const { applied, referenceKeys, references } = known;
  return applied !== null && referenceKeys === "" && references === null;
}

/** The resources of a type whose lists of references are compared. */
function* referring(own: TypePlan): Generator<Referring, void, undefined> {
  if (own.sections.every(({ references }) => references.length === 0)) return;
  const { desired: asked } = own.asked;
  for (const { desired } of own.creates()) yield { desired, id: null, held: [] };
  for (const [key, { id, held }] of own.matched) {
    const desired = asked.get(key);
    if (desired !== undefined) yield { desired, id, held };
  }
}

/** What is planned for a type, in numbers. */
export interface TypeCounts extends Omit<PlanCounts, "refused"> {
  /** Steps of the plan. */
  readonly steps: number;
  /** Resources that are there and are changed; what a run before made, and did not come to an end with, is none of them. */
  readonly changed: number;
  /** Resources that the sync knows or has found. */
  readonly resources: number;
}

/** Counts what is planned for a type. */
export function countsOf(own: TypePlan, { lists, alone, unfinished, add, remove }: ListCounts): TypeCounts {
  const { type, createCount: create, updateCount: update, matched } = own;
  const leavers = own.leaverCount;
  let deactivate = 0;
  for (const { action } of own.leavers()) if (action === "deactivate") deactivate += 1;
  const known = matched.size;
  return {
    type,
    create,
    update,
    deactivate,
    delete: leavers - deactivate,
    unchanged: known - update - alone,
    add,
    remove,
    steps: create + update + lists + leavers,
    changed: update + alone - unfinished,
    resources: known + leavers + (own.asked.changesOnly ? own.unaskedCount : 0),
  };
}

/** The numbers that a plan tells of a type. */
export function plannedCounts(
  { steps: _steps, changed: _changed, resources: _resources, ...counts }: TypeCounts,
  faults: readonly RecordFault[],
): PlanCounts {
  return { ...counts, refused: faults.filter(({ type }) => type === counts.type).length };
}

/** Keys of a note at most. */
const SHOWN = 5;

/** Keys that references name, and that belong to nothing. */
export class UnknownReferences {
  readonly #notes: string[] = [];

  add(name: string, found: readonly string[]): void {
    const keys = new Set(found);
    if (keys.size === 0) return;
    const shown = [...keys].slice(0, SHOWN).join(", ");
    const more = keys.size > SHOWN ? ` and ${keys.size - SHOWN} more` : "";
    this.#notes.push(`${name} refers to ${shown}${more}: no record has that key, so it is left out.`);
  }

  notes(): readonly string[] {
    return this.#notes;
  }
}

/** The sum of what each of a few things counts. */
export function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}
