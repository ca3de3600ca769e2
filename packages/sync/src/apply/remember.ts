/**
 * What a run remembers of the resources that it found, made and changed.
 * @module
 */
import { appliedText, digestOf, type Desired } from "../plan/desired.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import type { CreateStep } from "../plan/plan.ts";
import type { KnownResource, SyncState } from "../state/state-file.ts";

/** Remembers what was found: which resource belongs to which record, also where nothing changes. */
export function remember({ types, plan, referenceIds }: MadePlan, state: SyncState): void {
  const changing = new Set(plan.steps.map(({ type, key }) => `${type} ${key}`));
  for (const { type, matched, forgotten, settled } of types) {
    for (const key of forgotten) state.forget(type, key);
    const known = state.known(type);
    for (const key of settled) {
      const before = known.get(key);
      if (before !== undefined) state.remember(type, key, { ...before, left: true });
    }
    for (const [key, { desired, id, held }] of matched) {
      const before = known.get(key);
      if (changing.has(`${type} ${key}`)) {
        if (before?.id !== id) state.remember(type, key, { ...UNAPPLIED, id });
      } else if (held !== null) {
        state.remember(type, key, appliedAs(desired, id, referenceIds.get(`${type} ${key}`) ?? []));
      }
    }
  }
}

/** A resource to which nothing was applied yet. */
export const UNAPPLIED = { applied: null, referenceKeys: "", referenceIds: "", left: false } as const;

/** A resource that is what its record asks for. */
export function appliedAs(desired: Desired, id: string, references: readonly string[]): KnownResource {
  return {
    id,
    applied: appliedText(desired),
    referenceKeys: digestOf(desired.references.flat()),
    referenceIds: digestOf(references),
    left: false,
  };
}

/** A resource that was created, whose references are yet to come. */
export function createdAs({ desired }: CreateStep, id: string): KnownResource {
  return { ...UNAPPLIED, id, applied: appliedText(desired) };
}
