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
