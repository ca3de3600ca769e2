/**
 * What a run remembers of the resources that it found, made and changed.
 * @module
 */
import { appliedText, digestOf, keysDigestOf, type Desired } from "../plan/desired.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import { stillAsked } from "../plan/kept-values.ts";
import type { CreateStep } from "../plan/plan.ts";
import type { TypePlan } from "../plan/type-plan.ts";
import type { KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/sync-state.ts";

/** Remembers what was found: which resource belongs to which record, also where nothing changes. */
export function remember({ types }: MadePlan, state: SyncState): void {
  for (const own of types) {
    const { type, forgotten, settled, unsettled } = own;
    for (const key of forgotten) state.forget(type, key);
    const known = state.known(type);
    for (const key of settled) {
      const before = known.get(key);
      if (before !== undefined) state.remember(type, key, { ...before, left: true, unsettled: false });
    }
    for (const [key, id] of unsettled) {
      const before = known.get(key);
      state.remember(type, key, { ...(before?.id === id ? before : UNAPPLIED), id, unsettled: true });
    }
    for (const [key, { id, held }] of own.matched) {
      if (own.isChanged(key)) {
        const before = known.get(key);
        if (before?.id !== id) state.remember(type, key, foundAs(own, { key, id }, state));
        else if (before.unsettled) state.remember(type, key, { ...before, unsettled: false });
      } else if (held !== null) rememberFound(own, { key, id }, state);
    }
  }
}

/** A resource that is yet to be changed; one that a run made without a word has its lists to come, and nothing else. */
function foundAs(
  own: TypePlan,
  { key, id }: { readonly key: string; readonly id: string },
  state: SyncState,
): KnownResource {
  const isMade = state.tried.has(own.type, key) && !own.isUpdated(key);
  const desired = isMade ? own.asked.desired.get(key) : undefined;
  return { ...UNAPPLIED, id, applied: desired === undefined ? null : appliedText(desired) };
}

/** Remembers a resource that is what its record asks for. */
function rememberFound(
  { type, asked, kept, lists }: TypePlan,
  { key, id }: { readonly key: string; readonly id: string },
  state: SyncState,
): void {
  const before = state.known(type).get(key);
  const desired = asked.desired.get(key);
  if (desired === undefined) return;
  const applied = appliedAs(desired, id, lists.ids(key));
  const still = before?.id === id ? stillAsked(before.kept, desired) : [];
  state.remember(type, key, { ...applied, kept: kept.get(key) ?? still });
}

/** A resource to which nothing was applied yet. */
export const UNAPPLIED = {
  applied: null,
  referenceKeys: "",
  referenceIds: "",
  references: null,
  left: false,
  unsettled: false,
  createdVersion: null,
  kept: [],
} as const;

/** A resource that is what its record asks for. */
export function appliedAs(desired: Desired, id: string, references: readonly string[]): KnownResource {
  return {
    ...UNAPPLIED,
    id,
    applied: appliedText(desired),
    referenceKeys: keysDigestOf(desired),
    referenceIds: digestOf(references),
    references: JSON.stringify(references),
  };
}

/** A resource that was created, whose references are yet to come. */
export function createdAs(
  { desired }: CreateStep,
  { id, createdVersion = null, kept = [] }: Partial<KnownResource> & Pick<KnownResource, "id">,
): KnownResource {
  return { ...UNAPPLIED, id, applied: appliedText(desired), createdVersion, kept };
}
