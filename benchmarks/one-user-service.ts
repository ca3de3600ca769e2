/**
 * The service over a store that holds one User and answers at once: what remains is the work of the rules.
 * @module
 */
import type { ResourceStore, ScimService, StoredResource, WritePlan } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { CONTEXT, serviceOver } from "./in-process.ts";

/** A service, and the id of its one User. */
export interface OneUserService {
  readonly service: ScimService;
  readonly id: string;
}

/** Makes a service whose every read finds the User as it was created, whatever is written. */
export async function oneUserService(user: JsonObject): Promise<OneUserService> {
  let stored: StoredResource | null = null;
  const store: ResourceStore = {
    read: () => Promise.resolve(stored),
    readMany: () => Promise.resolve([]),
    references: () => Promise.resolve([]),
    snapshot: () => Promise.reject(new TypeError("Nothing here is long")),
    stage: () => Promise.reject(new TypeError("Nothing here is long")),
    referenceRows: () => Promise.resolve([]),
    countReferenceRows: () => Promise.resolve(0),
    query: () => Promise.resolve({ kind: "page", total: 0, more: false, resources: [], plan: "index" }),
    write: (scope, plan) => {
      if (stored === null) stored = storedOf(plan, scope.connection);
      return Promise.resolve({ kind: "written", version: plan.nonce });
    },
    preview: (_scope, plan) => Promise.resolve({ kind: "written", version: plan.nonce }),
    purge: () => Promise.resolve(0),
  };
  const service = serviceOver(store);
  const none = { attributes: null, excludedAttributes: null };
  const answer = await service.create(CONTEXT, { type: "User", body: user, ...none });
  return { service, id: String(answer.resource["id"]) };
}

function storedOf(plan: WritePlan, connection: string): StoredResource | null {
  if (plan.kind !== "create") return null;
  const { type, id, at, nonce, body } = plan;
  return {
    type,
    id,
    connection,
    version: nonce,
    created: at,
    lastModified: at,
    body,
    collections: new Map(),
    inverses: new Map(),
  };
}
