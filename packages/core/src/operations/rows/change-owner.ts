/**
 * Changes of a row are changes of its owner, by the same plan as a PATCH.
 * @module
 */
import { isScimError, PATCH_OP_URN, type JsonObject, type ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { changeResource } from "../change-resource.ts";
import { bindPatch, planPatch } from "../patch-plan.ts";
import type { RowSource } from "../../model/row-source.ts";
import { tooBusy } from "../refusals.ts";
import { NO_SELECTION } from "../../projection/read-selection.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import { scopeOf } from "../../store/scope.ts";
import type { RowEnds } from "./row-id.ts";

/** A change of one row. */
export interface RowChange<Outcome> {
  readonly source: RowSource;
  readonly ends: RowEnds;
  /** The PATCH operation on the owner. */
  readonly operation: JsonObject;
  /** Looks at the owner and at the row as they are: refuses, or says what the caller gets. */
  readonly check: (owner: StoredResource, row: ReferenceValue | undefined) => Outcome;
  /** What to refuse with where there is no owner. */
  readonly ownerless: () => ScimError;
}

/** The owner as it is: the caller's conditions are about the row. */
const ANY_VERSION = { ifMatch: "*", ifNoneMatch: null } as const;

/** Makes a change of a row. It is planned again where others changed the owner in between. */
export async function changeOwner<Outcome>(
  environment: Environment,
  context: RequestContext,
  { source, ends, operation, check, ownerless }: RowChange<Outcome>,
): Promise<Outcome> {
  const model = environment.catalog.model(source.type);
  const id = ends.owner;
  const body = { schemas: [PATCH_OP_URN], Operations: [operation] };
  const patch = await bindPatch(environment, context, { model, id, body });
  try {
    return await changeResource(environment, context, {
      model,
      id,
      precondition: ANY_VERSION,
      select: NO_SELECTION,
      plan: async (stored) => {
        const owner = { type: source.type, id, path: source.path };
        for (let attempt = 0; attempt < environment.limits.planAttempts; attempt += 1) {
          const [row] = await environment.store.references(scopeOf(context), owner, [ends.value]);
          const outcome = check(stored, row);
          const planned = await planPatch(environment, context, { patch, stored });
          // Nothing to change: another process made the change since the row was looked at, and there is no write to refuse.
          if (planned.plan !== null) return { ...planned, outcome: () => outcome };
        }
        throw tooBusy();
      },
    });
  } catch (error) {
    throw isScimError(error) && error.code === "notFound" ? ownerless() : error;
  }
}
