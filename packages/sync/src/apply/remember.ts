/**
 * What a run remembers of the resources that it found, made and changed.
 * @module
 */
import { appliedText, digestOf, type Desired } from "../plan/desired.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import { stillAsked } from "../plan/kept-values.ts";
import type { CreateStep } from "../plan/plan.ts";
import type { KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/state-file.ts";

/** References that are remembered one by one, so that drift can say which came and went. */
const MOST_REFERENCES = 5000;

/** Remembers what was found: which resource belongs to which record, also where nothing changes. */
export function remember({ types, plan, referenceIds }: MadePlan, state: SyncState): void {
  const changing = new Set(plan.steps.map(({ type, key }) => `${type} ${key}`));
  for (const { type, matched, forgotten, settled, kept } of types) {
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
        const own = appliedAs(desired, id, referenceIds.get(`${type} ${key}`) ?? []);
        const asked = before?.id === id ? stillAsked(before.kept, desired) : [];
        state.remember(type, key, { ...own, kept: kept.get(key) ?? asked });
      }
    }
  }
}

/** A resource to which nothing was applied yet. */
export const UNAPPLIED = {
  applied: null,
  referenceKeys: "",
  referenceIds: "",
  references: null,
  left: false,
  createdVersion: null,
  kept: [],
} as const;

/** A resource that is what its record asks for. */
export function appliedAs(desired: Desired, id: string, references: readonly string[]): KnownResource {
  return {
    ...UNAPPLIED,
    id,
    applied: appliedText(desired),
    referenceKeys: digestOf(desired.references.flat()),
    referenceIds: digestOf(references),
    references: references.length > MOST_REFERENCES ? null : JSON.stringify(references),
  };
}

/** A resource that was created, whose references are yet to come. */
export function createdAs(
  { desired }: CreateStep,
  { id, createdVersion = null, kept = [] }: Partial<KnownResource> & Pick<KnownResource, "id">,
): KnownResource {
  return { ...UNAPPLIED, id, applied: appliedText(desired), createdVersion, kept };
}
