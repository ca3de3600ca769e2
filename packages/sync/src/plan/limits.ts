/**
 * Limits of a plan: a source that was cut off, or a mapping that went wrong, must not change everybody.
 * @module
 */
import type { ChangeLimit, ChangeLimits } from "../mapping/document.ts";

/** How much a plan changes. */
export interface ChangeCounts {
  /** Resources that are deactivated or deleted. */
  readonly leavers: number;
  /** Resources that are there and are changed, by their attributes or their lists; not those that a run made and did not finish. */
  readonly updates: number;
  /** Resources that the sync knows or has found. */
  readonly resources: number;
}

/** Who leaves a type. */
export interface TypeLeavers {
  readonly type: string;
  readonly leaverCount: number;
  readonly asked: { readonly isEmpty: boolean };
}

/** What is refused of types whose sources hold no record at all: they may have been cut off, however few leave for it. */
export function refusalsOfEmpty(types: readonly TypeLeavers[]): readonly string[] {
  return types
    .filter(({ asked, leaverCount }) => asked.isEmpty && leaverCount > 0)
    .map(
      ({ type, leaverCount }) =>
        `No record of ${type} was read at all, and ${leaverCount} would be deactivated or deleted for that.`,
    );
}

/** What the limits refuse, as sentences for people; empty where they let it through. */
export function refusalsOf(
  { leavers, updates, resources }: ChangeCounts,
  limits: ChangeLimits,
): readonly string[] {
  return [
    ...refusal("deactivate or delete", leavers, { limit: limits.leavers, resources }),
    ...refusal("update", updates, { limit: limits.updates, resources }),
  ];
}

function refusal(
  what: string,
  count: number,
  { limit: { most, percent }, resources }: { readonly limit: ChangeLimit; readonly resources: number },
): readonly string[] {
  const bound = Math.max(most, Math.floor((resources * percent) / 100));
  if (count <= bound) return [];
  return [
    `It would ${what} ${count} of ${resources} resources, and the limit is ${bound} (the greater of ${most} and ${percent} %).`,
  ];
}
