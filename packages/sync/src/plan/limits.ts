/**
 * Limits of a plan: a source that was cut off, or a mapping that went wrong, must not change everybody.
 * @module
 */
import type { ChangeLimit, ChangeLimits } from "../mapping/document.ts";
import type { PlanStep } from "./plan.ts";

/** What the limits refuse, as sentences for people; empty where they let it through. */
export function refusalsOf(
  steps: readonly PlanStep[],
  resources: number,
  limits: ChangeLimits,
): readonly string[] {
  const leavers = steps.filter(({ action }) => action === "deactivate" || action === "delete").length;
  const changed = new Set<string>();
  for (const { action, type, key } of steps)
    if (action === "update" || action === "references") changed.add(`${type} ${key}`);
  for (const step of steps) if (step.action === "create") changed.delete(`${step.type} ${step.key}`);
  return [
    ...refusal("deactivate or delete", leavers, { limit: limits.leavers, resources }),
    ...refusal("update", changed.size, { limit: limits.updates, resources }),
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
