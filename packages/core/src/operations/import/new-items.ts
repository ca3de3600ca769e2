/**
 * Imports items that are taken for new ones: nothing is looked for before, and the write tells whether they are.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { importsOf } from "../../store/capabilities.ts";
import { scopeOf } from "../../store/scope.ts";
import { planCreation } from "../creation-plan.ts";
import type { GatheredItem, ImportOutcome, ImportRules, NewImports } from "./import-request.ts";
import { KEY_RANGES, KeyRanges } from "./key-ranges.ts";
import { OpenRange } from "./open-range.ts";
import { newState } from "./plan-item.ts";
import type { ReadItem } from "./read-item.ts";
import { hasUniqueIdentity, isRead, readItems } from "./read-items.ts";

/** Begins to import items that are taken for new ones; null where the store has no way to write many. */
export function importNewItems(
  environment: Environment,
  context: RequestContext,
  rules: ImportRules,
): NewImports | null {
  const { imports } = environment.store;
  if (imports === undefined) return null;
  const keys = new KeyRanges();
  let rejected: ImportOutcome[] = [];
  const ranges = Array.from({ length: KEY_RANGES }, () => new OpenRange(imports.gather(scopeOf(context))));
  return {
    add: (items, most) => {
      const read = readItems(environment, context, { ...rules, items });
      const valid = read.filter(isRead);
      // What takes long to make is not made for what may have to be prepared after all.
      if (valid.some(({ secrets }) => secrets.values.size > 0) || valid.some(hasReferences)) return null;
      const free = freePaths(environment, context, valid);
      if (free === null) return null;
      const planned = read.map((each): GatheredItem => {
        if (!isRead(each)) {
          rejected.push(each);
          return { outcome: each, range: null };
        }
        const number = keys.rangeOf(keyOf(each));
        const range = ranges[number];
        if (range === undefined) throw new TypeError(`There is no range ${number}`);
        const made = range.next(environment.sources, most);
        const { record } = each.item;
        const plan = planCreation(environment, context, { ...newState(each), made });
        range.plan(plan, record);
        return { outcome: { record, kind: "created", id: plan.id, error: null }, range: number };
      });
      for (const range of ranges) range.gather(free);
      return planned;
    },
    write: async (number, run) => {
      keys.settle();
      run?.pass(rejected);
      rejected = [];
      return (await ranges[number]?.write(run)) === true;
    },
    settled: async () => {
      for (const range of ranges) await range.settled();
    },
  };
}

function hasReferences({ collections }: ReadItem): boolean {
  for (const references of collections.values()) if (references.length > 0) return true;
  return false;
}

/** The key that tells the range of an item. */
function keyOf({ entries: { unique } }: ReadItem): string {
  const [first] = unique;
  return first === undefined ? "" : String(first.key);
}

/**
 * The attributes of which nobody may hold the values of the items, beside those that must be unique. Null where items
 * have to be looked for: hooks want to see them, they are kept where none is gathered, what they are told by is not
 * indexed yet, or another record of the source may mean the same resource.
 */
function freePaths(
  { hooks, store }: Environment,
  { tenant }: RequestContext,
  items: readonly ReadItem[],
): readonly string[] | null {
  const free = new Set<string>();
  for (const item of items) {
    const { name } = item.model;
    if (hooks.has(name) || importsOf(store, name) === undefined || !hasUniqueIdentity(item)) return null;
    for (const { node, unique } of item.identities) {
      if (unique !== null || free.has(node.path)) continue;
      const isIndexed = store.indexes?.of(tenant, name).always.includes(node.path) ?? node.indexed;
      if (!isIndexed) return null;
      free.add(node.path);
    }
  }
  return [...free];
}
