/**
 * Shows a planned change to the application before it is written.
 * @module
 */
import { ScimError, type JsonObject } from "@scim/schemas";
import { copyObject, type MutableObject } from "../attributes/json-object.ts";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { CollectionDelta, WritePlan } from "../store/write-plan.ts";
import { withinTime } from "../time-limit.ts";
import { readAmended } from "./amended.ts";
import { hooksFor } from "./hooks-for.ts";
import type { CollectionChange } from "../store/event-feed.ts";
import type { StagedChange } from "../store/reference-stage.ts";
import type { HookedChange, ResourceChanges } from "./resource-hooks.ts";

/** A plan, and the resource that it was made on; null for a new one. */
export interface Hooked {
  readonly plan: WritePlan;
  readonly before: StoredResource | null;
}

/**
 * Asks the hook of a resource type. Resolves to the attributes that take the place of the planned ones, or to null
 * where the plan stays as it is.
 * @throws what the hook throws; ScimError `unavailable` where it takes too long
 */
export async function askPlanHook(
  environment: Environment,
  context: RequestContext,
  { model, plan, before }: Hooked & { readonly model: ResourceModel },
): Promise<MutableObject | null> {
  const hooks = hooksFor(environment, plan);
  if (hooks?.plan === undefined) return null;
  const { tenant, connection, subject, origin = null } = context;
  const milliseconds = hooks.timeout ?? environment.limits.hookTimeout;
  const limit = { milliseconds, signal: context.signal, late: tooLate };
  const { isTrial: dryRun } = environment;
  const change = hookedChange({ plan, before });
  const amended = await withinTime(limit, (signal) =>
    hooks.plan?.({ tenant, connection, subject, origin, signal, dryRun }, change),
  );
  const planned = bodyAfter({ plan, before });
  if (amended === undefined || planned === null) return null;
  return readAmended(environment, context, { model, amended, planned });
}

function tooLate(): ScimError {
  return new ScimError("unavailable", "The application takes too long to look at the change: try again.", {
    headers: { "retry-after": "1" },
  });
}

/** A plan as hooks see it: copies, which they may do with what they like. */
export function hookedChange(hooked: Hooked): HookedChange {
  const { plan, before } = hooked;
  const after = bodyAfter(hooked);
  return {
    kind: plan.event.kind,
    type: plan.type,
    id: plan.id,
    before: before === null ? null : copyObject(before.body),
    after: after === null ? null : copyObject(after),
    changes: { attributes: [...plan.event.changed], ...collectionsOf(plan) },
  };
}

function collectionsOf(plan: WritePlan): Pick<ResourceChanges, "collections" | "longCollections"> {
  switch (plan.kind) {
    case "delete":
      return { collections: [], longCollections: [] };
    // The values come back in the store, and are not read: a hook is told how many they are.
    case "restore":
      return { collections: [], longCollections: plan.returning.map(countedChange) };
    case "create":
    case "update":
      return {
        collections: plan.collections.map(copyDelta),
        longCollections: (plan.staged?.changes ?? []).map((change) => ({ ...change })),
      };
  }
}

function copyDelta({ path, remove, add }: CollectionDelta): CollectionDelta {
  return {
    path,
    remove: remove === "all" ? remove : [...remove],
    add: add.map(({ value, rest }) => ({ value, rest: copyObject(rest) })),
  };
}

function countedChange({ path, added }: CollectionChange): StagedChange {
  return { path, removed: 0, added: typeof added === "number" ? added : added.length };
}

function bodyAfter({ plan, before }: Hooked): JsonObject | null {
  if (plan.kind === "delete") return null;
  return plan.body ?? before?.body ?? {};
}
