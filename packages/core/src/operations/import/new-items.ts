/**
 * Imports items that are taken for new ones: nothing is looked for before, and the write tells whether they are.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { importsOf } from "../../store/capabilities.ts";
import { scopeOf } from "../../store/scope.ts";
import type { CreatePlan } from "../../store/write-plan.ts";
import { planCreation } from "../creation-plan.ts";
import type { ImportOutcome, ImportRules, NewImports } from "./import-request.ts";
import { newState } from "./plan-item.ts";
import type { ReadItem } from "./read-item.ts";
import { hasUniqueIdentity, isRead, readItems } from "./read-items.ts";

/** Begins to import items that are taken for new ones; null where the store has no way to write many. */
export function importNewItems(
  environment: Environment,
  context: RequestContext,
  rules: ImportRules,
): NewImports | null {
  const gathered = environment.store.imports?.gather(scopeOf(context));
  if (gathered === undefined) return null;
  let created = 0;
  let position = 0;
  return {
    add: (items) => {
      const read = readItems(environment, context, { ...rules, items });
      // What takes long to make is not made for what may have to be prepared after all.
      if (read.some((each) => isRead(each) && each.secrets.values.size > 0)) return null;
      const free = freePaths(environment, context, read.filter(isRead));
      if (free === null) return null;
      const plans: CreatePlan[] = [];
      const outcomes = read.map((each): ImportOutcome => {
        if (!isRead(each)) return each;
        const plan = planCreation(environment, context, newState(each));
        plans.push(plan);
        return { record: each.item.record, kind: "created", id: plan.id, error: null };
      });
      if (plans.some(({ collections }) => collections.length > 0)) return null;
      gathered.add(plans, free);
      created += plans.length;
      position = outcomes.at(-1)?.record ?? position;
      return outcomes;
    },
    write: (run) => {
      const step =
        run === null || position === 0
          ? null
          : { run, position, adds: { created, replaced: 0, unchanged: 0 } };
      created = 0;
      return gathered.write(step);
    },
    settled: () => gathered.settled(),
  };
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
