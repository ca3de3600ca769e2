/**
 * The service over a store that holds one User and answers at once: what remains is the work of the rules.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  createScimService,
  PROFILES,
  type RequestContext,
  type ResourceStore,
  type ScimService,
  type StoredResource,
  type WritePlan,
} from "@scim/core";
import { createDefaultRegistry, type JsonObject } from "@scim/schemas";

export const CONTEXT: RequestContext = {
  tenant: "default",
  connection: "default",
  subject: null,
  profile: PROFILES.tolerant,
  baseUrl: "https://id.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};

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
    query: () => Promise.resolve({ kind: "page", total: 0, resources: [], plan: "index" }),
    write: (scope, plan) => {
      if (stored === null) stored = storedOf(plan, scope.connection);
      return Promise.resolve({ kind: "written", version: plan.nonce });
    },
    preview: (_scope, plan) => Promise.resolve({ kind: "written", version: plan.nonce }),
    purge: () => Promise.resolve(0),
  };
  const service = createScimService({
    registry: createDefaultRegistry(),
    store,
    sources: {
      now: () => Date.now(),
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
  });
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
