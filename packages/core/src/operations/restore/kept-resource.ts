/**
 * Finds deleted resources that can be restored, and says why others cannot.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { NO_SELECTION } from "../../projection/read-selection.ts";
import type { DeletedResources, KeptResource } from "../../store/deleted-resources.ts";
import { scopeOf } from "../../store/scope.ts";
import type { RestoreTarget } from "./restore-operations.ts";

/**
 * The deleted resources of the store.
 * @throws ScimError `notImplemented` where it keeps none
 */
export function deletedResources({ store }: Pick<Environment, "store">): DeletedResources {
  const { deleted } = store;
  if (deleted !== undefined) return deleted;
  throw new ScimError(
    "notImplemented",
    "Deleted resources cannot be restored here: the store keeps none of them.",
  );
}

/**
 * The model of a type whose resources can be restored.
 * @throws ScimError `notFound`
 */
export function restorableModel({ catalog }: Pick<Environment, "catalog">, type: string): ResourceModel {
  const model = catalog.model(type);
  if (model.rows === null) return model;
  throw new ScimError(
    "notFound",
    `A ${type} is a value of a ${model.rows.type}, and is not kept by itself: restore that one, or add the value again.`,
  );
}

/**
 * A deleted resource that can be restored.
 * @throws ScimError `notFound` where it is not kept, or not any more; `conflict` where it is live
 */
export async function keptResource(
  environment: Environment,
  context: RequestContext,
  { type, id, since }: Pick<RestoreTarget, "type" | "id" | "since">,
): Promise<KeptResource> {
  const scope = scopeOf(context);
  const kept = await deletedResources(environment).read(scope, { type, id });
  if (kept !== null && kept.deleted >= since) return kept;
  if (kept !== null) {
    throw new ScimError(
      "notFound",
      `The ${type} was deleted at ${kept.deleted}, and what was deleted before ${since} is not restored any more: 'retention.deleted' says how long it is kept. Create it anew.`,
    );
  }
  const live = await environment.store.read(scope, { type, id }, NO_SELECTION);
  if (live !== null)
    throw new ScimError("conflict", `The ${type} is not deleted: there is nothing to restore.`);
  throw new ScimError(
    "notFound",
    `No deleted ${type} of this id is kept: it never was, its time is over, or it was erased.`,
  );
}
