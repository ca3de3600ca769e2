/**
 * Finds the hooks that are asked about a change.
 * @module
 */
import type { Environment } from "../environment.ts";
import type { WritePlan } from "../store/write-plan.ts";
import type { ResourceHooks } from "./resource-hooks.ts";

/** The hooks of a resource type, where they want to know of a change of this kind. */
export function hooksFor(
  environment: Pick<Environment, "hooks">,
  { type, event }: Pick<WritePlan, "type" | "event">,
): ResourceHooks | undefined {
  const hooks = environment.hooks.get(type);
  return hooks?.kinds === undefined || hooks.kinds.includes(event.kind) ? hooks : undefined;
}
