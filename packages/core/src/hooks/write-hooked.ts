/**
 * Writes a plan with the statements that the application adds to it.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { WriteResult } from "../store/port.ts";
import { scopeOf } from "../store/scope.ts";
import { hookedChange, type Hooked } from "./plan-hook.ts";
import type { HookedEvent, ResourceHooks } from "./resource-hooks.ts";

/** Writes a plan: the one way to the store. */
export function writeHooked(
  environment: Environment,
  context: RequestContext,
  hooked: Hooked,
): Promise<WriteResult> {
  const hooks = environment.hooks.get(hooked.plan.type);
  if (hooks?.statements === undefined) return environment.store.write(scopeOf(context), hooked.plan);
  return writeWithStatements(environment, context, { ...hooked, hooks });
}

async function writeWithStatements(
  environment: Environment,
  context: RequestContext,
  { plan, before, hooks }: Hooked & { readonly hooks: ResourceHooks },
): Promise<WriteResult> {
  const { tenant, connection, subject } = context;
  const change = hookedChange({ plan, before });
  const event: HookedEvent = { ...change, tenant, connection, subject, at: plan.at };
  const statements = hooks.statements?.(event) ?? [];
  try {
    return await environment.store.write(scopeOf(context), { ...plan, statements });
  } catch (error) {
    const refusal = isScimError(error) ? null : (hooks.refusal?.(error, event) ?? null);
    throw refusal ?? error;
  }
}
