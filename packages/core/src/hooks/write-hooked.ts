/**
 * Writes a plan with the statements that the application adds to it.
 * @module
 */
import { isScimError, type ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { WritePlan, WriteResult } from "../store/write-plan.ts";
import { scopeOf } from "../store/scope.ts";
import { hooksFor } from "./hooks-for.ts";
import { hookedChange, type Hooked } from "./plan-hook.ts";
import { letGo } from "./let-go.ts";
import { requireStatements } from "./require-statements.ts";
import type { HookedEvent } from "./resource-hooks.ts";

/** Writes a plan: the one way to the store. */
export function writeHooked(
  environment: Environment,
  context: RequestContext,
  hooked: Hooked,
): Promise<WriteResult> {
  const hooks = hooksFor(environment, hooked.plan);
  if (hooks?.statements === undefined) return environment.store.write(scopeOf(context), hooked.plan);
  return writeWithStatements(environment, context, hooked);
}

async function writeWithStatements(
  environment: Environment,
  context: RequestContext,
  hooked: Hooked,
): Promise<WriteResult> {
  const plan = withStatements(environment, context, hooked);
  try {
    return await environment.store.write(scopeOf(context), plan);
  } catch (error) {
    throw refusalOf(environment, context, { ...hooked, error }) ?? error;
  }
}

/**
 * A plan with the statements that the application adds to it.
 * @throws TypeError where its hook returned none that can be run
 */
export function withStatements(environment: Environment, context: RequestContext, hooked: Hooked): WritePlan {
  const hooks = hooksFor(environment, hooked.plan);
  if (hooks?.statements === undefined) return hooked.plan;
  const statements = requireStatements(hooked.plan.type, hooks.statements(eventOf(context, hooked)));
  return { ...hooked.plan, statements };
}

/**
 * What the application answers where the store failed to write its statements; null where it has no answer.
 * @throws TypeError, caused by the error of the store, where its hook answers anything else
 */
export function refusalOf(
  environment: Environment,
  context: RequestContext,
  { error, ...hooked }: Hooked & { readonly error: unknown },
): ScimError | null {
  const hooks = hooksFor(environment, hooked.plan);
  if (hooks?.refusal === undefined || isScimError(error)) return null;
  const refusal: unknown = hooks.refusal(error, eventOf(context, hooked)) ?? null;
  if (refusal === null || isScimError(refusal)) return refusal;
  letGo(refusal);
  throw new TypeError(`The hook 'refusal' of ${hooked.plan.type} returned neither a ScimError nor null`, {
    cause: error,
  });
}

function eventOf({ tenant, connection, subject }: RequestContext, hooked: Hooked): HookedEvent {
  return { ...hookedChange(hooked), tenant, connection, subject, at: hooked.plan.at };
}
