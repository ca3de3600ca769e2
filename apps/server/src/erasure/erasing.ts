/**
 * What erasures need of the server: the rules, by which a live resource is deleted, the list, and who asks.
 * @module
 */
import { PROFILES, type ChangeOrigin, type OperatorService, type ServiceOf } from "@scim/core";
import {
  ErasureKeyMissing,
  replayErasures,
  SubjectOfSeveralTypes,
  type Erasure,
  type Erasing,
} from "@scim/events";
import { isScimError, ScimError } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import { operatorContext } from "../operator/operator-context.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { Settings } from "../settings/table.ts";
import { instantNow, SOURCES } from "../sources.ts";
import { erasureFile, noteErasure, readNotedErasures } from "./erasure-file.ts";

/** What erasures are done with. */
export interface ErasingParts {
  readonly settings: Settings;
  readonly opened: OpenedStore;
  readonly service: Pick<OperatorService, "delete">;
}

/** What deletes resources of any tenant by the rules of that tenant. */
export function deletingIn(serviceOf: ServiceOf): ErasingParts["service"] {
  return {
    delete: async (context, request) => (await serviceOf(context.tenant)).delete(context, request),
  };
}

const UNCONDITIONAL = { ifMatch: null, ifNoneMatch: null };

/** Erasures on behalf of somebody. */
export function erasingFor({ settings, opened, service }: ErasingParts, origin: ChangeOrigin): Erasing {
  const file = erasureFile(settings, opened);
  return {
    ...opened.auditKeys,
    erasures: opened.store.erasures,
    origin,
    now: instantNow,
    newNonce: SOURCES.newNonce,
    note: async (erasure) => {
      if (file !== null) await noteErasure(file, erasure);
    },
    check: (tenant, type) => requireServed(opened, tenant, type),
    remove: async ({ tenant, id }, type) => {
      // A list that is replayed tells of nobody whether it can be.
      await requireServed(opened, tenant, type);
      const context = operatorContext({ tenant, origin, profile: PROFILES.tolerant });
      try {
        await service.delete(context, { type, id, precondition: UNCONDITIONAL });
      } catch (error) {
        // Somebody else was first.
        if (!isScimError(error) || error.code !== "notFound") throw error;
      }
    },
  };
}

/**
 * Requires that a tenant has the type of a live resource: no rule would tell otherwise how to delete it.
 * @throws ScimError `conflict`
 */
async function requireServed(
  { rules }: Pick<OpenedStore, "rules">,
  tenant: string,
  type: string,
): Promise<void> {
  if ((await rules.catalogOf(tenant)).models().some(({ name }) => name === type)) return;
  throw new ScimError(
    "conflict",
    `The subject is of the resource type ${type}, which tenant '${tenant}' does not have any more. Put its documents back, and erase the subject again.`,
  );
}

/**
 * Erases anew whom a list names and the database does not know as erased, as after a backup was restored.
 * @param listed default: the list that the settings name
 * @returns how many entries the database lacked
 * @throws CommandFailure where the list cannot be read, was made with a key that is not given, or does not tell which of several
 *   resources of an id it means
 */
export async function replayListed(
  parts: ErasingParts,
  origin: ChangeOrigin,
  listed?: readonly Erasure[],
): Promise<number> {
  const file = erasureFile(parts.settings, parts.opened);
  const list = listed ?? (file === null ? [] : await readNotedErasures(file));
  if (list.length === 0) return 0;
  try {
    return await replayErasures(erasingFor(parts, origin), list);
  } catch (error) {
    if (error instanceof ErasureKeyMissing || error instanceof SubjectOfSeveralTypes)
      throw new CommandFailure(EXIT.failed, `${error.message}.`, error);
    throw error;
  }
}
