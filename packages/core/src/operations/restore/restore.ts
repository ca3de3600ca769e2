/**
 * Restores deleted resources under their ids. A POST never does: who creates a resource must not be given the
 * memberships of another that is gone.
 * @module
 */
import { isScimError, ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { askPlanHook } from "../../hooks/plan-hook.ts";
import { writeHooked } from "../../hooks/write-hooked.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { entriesOf } from "../../plan/entries.ts";
import { indexedAttributes } from "../../plan/indexed-attributes.ts";
import type { KeptResource } from "../../store/deleted-resources.ts";
import type { CollectionChange } from "../../store/event-feed.ts";
import type { RestorePlan, UniqueEntry } from "../../store/write-plan.ts";
import { checkPrecondition, requireVersion } from "../../versioning/version.ts";
import { createTrial } from "../dry-run/trial-store.ts";
import { outdated, tooBusy } from "../refusals.ts";
import { writeInstant } from "../write-instant.ts";
import { keptResource, restorableModel } from "./kept-resource.ts";
import { holdingMemberships, returningChanges } from "./memberships.ts";
import type {
  RestoredResource,
  RestorePreview,
  RestoreRequest,
  RestoreTarget,
} from "./restore-operations.ts";

/** Restores a deleted resource. */
export async function restoreResource(
  environment: Environment,
  context: RequestContext,
  request: RestoreRequest,
): Promise<RestoredResource> {
  const model = restorableModel(environment, request.type);
  // The same turns as those of other changes to the resource.
  return environment.takeTurn(JSON.stringify([context.tenant, model.name, request.id]), async () => {
    for (let attempt = 0; attempt < environment.limits.planAttempts; attempt += 1) {
      context.signal?.throwIfAborted();
      const kept = await keptResource(environment, context, request);
      requireVersion(request.precondition, kept.version);
      checkPrecondition(request.precondition, kept.version);
      const returning = await returningChanges(environment, context, { model, id: kept.id });
      const restored = await write(environment, context, { model, kept, returning, target: request });
      if (restored !== null) return restored;
    }
    throw tooBusy();
  });
}

/** Tells what a restoration would come to. */
export async function previewRestoration(
  environment: Environment,
  context: RequestContext,
  target: RestoreTarget,
): Promise<RestorePreview> {
  const model = restorableModel(environment, target.type);
  const kept = await keptResource(environment, context, target);
  const returning = await returningChanges(environment, context, { model, id: kept.id });
  const { store } = createTrial(environment.store);
  const trial = { ...environment, store, isTrial: true };
  const refusal = await refusalOf(() => write(trial, context, { model, kept, returning, target }));
  const { body: _values, ...resource } = kept;
  return {
    resource,
    refusal,
    memberOf: await holdingMemberships(environment, context, target),
    members: returning.map(({ path, added }) => ({
      type: model.name,
      path,
      count: typeof added === "number" ? added : added.length,
    })),
  };
}

async function refusalOf(attempt: () => Promise<RestoredResource | null>): Promise<ScimError | null> {
  try {
    return (await attempt()) === null ? tooBusy() : null;
  } catch (error) {
    if (isScimError(error)) return error;
    throw error;
  }
}

interface Restoration {
  readonly model: ResourceModel;
  readonly kept: KeptResource;
  readonly returning: readonly CollectionChange[];
  readonly target: RestoreTarget;
}

/** Writes a restoration; null where the deleted resource is not as it was read any more. */
async function write(
  environment: Environment,
  context: RequestContext,
  restoration: Restoration,
): Promise<RestoredResource | null> {
  const { model, kept } = restoration;
  const planned = await planRestoration(environment, context, restoration);
  // To an application it comes as a new one does: its hooks take a seat for it, or refuse.
  const amended = await askPlanHook(environment, context, { model, plan: planned, before: null });
  const plan =
    amended === null
      ? planned
      : await planRestoration(environment, context, { ...restoration, kept: { ...kept, body: amended } });
  const result = await writeHooked(environment, context, { plan, before: null });
  switch (result.kind) {
    case "written":
      return {
        type: model.name,
        id: kept.id,
        version: result.version,
        deleted: kept.deleted,
        restored: plan.at,
      };
    case "duplicate":
      throw takenMeanwhile(result.entry);
    case "outdated":
      throw outdated(model.name);
    case "conflict":
    case "exists":
      return null;
  }
}

async function planRestoration(
  environment: Environment,
  context: RequestContext,
  { model, kept, returning, target }: Restoration,
): Promise<RestorePlan> {
  const { sources, store } = environment;
  const { connection, body } = kept;
  const { constraints } = (await target.profileOf?.(connection)) ?? context.profile;
  const { nodes, revision } = indexedAttributes(model, store.indexes, context.tenant);
  return {
    kind: "restore",
    type: model.name,
    id: kept.id,
    at: writeInstant(sources, { lastModified: kept.deleted }),
    nonce: sources.newNonce(),
    expectedVersion: kept.version,
    deleted: kept.deleted,
    body,
    schemas: environment.schemas,
    ...entriesOf(model, body, { constraints, connection, indexed: nodes }),
    indexRevision: revision,
    returning,
    event: {
      kind: "created",
      subject: context.subject,
      origin: context.origin,
      changed: [...Object.keys(body), ...returning.map(({ path }) => path)],
    },
  };
}

function takenMeanwhile({ path }: UniqueEntry): ScimError {
  return new ScimError(
    "uniqueness",
    `Another resource has taken the value of attribute '${path}' since: delete that one, or give it another value, and restore again.`,
  );
}
