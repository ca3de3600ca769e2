/**
 * A service with hooks, and requests about users on behalf of one caller.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  createScimService,
  PROFILES,
  type DryRunAnswer,
  type RequestContext,
  type ResourceHooks,
  type ResourceStore,
  type ServiceLimits,
} from "@scim/core";
import {
  BULK_REQUEST_URN,
  createDefaultRegistry,
  PATCH_OP_URN,
  USER_URN,
  type JsonObject,
} from "@scim/schemas";

/** Requests about users. */
export interface HookedService {
  /** Creates a user; its id. */
  create(members: JsonObject): Promise<string>;
  dryCreate(members: JsonObject): Promise<DryRunAnswer>;
  patch(id: string, operations: readonly JsonObject[], version?: string): Promise<void>;
  put(id: string, members: JsonObject): Promise<void>;
  remove(id: string): Promise<void>;
  dryRemove(id: string): Promise<DryRunAnswer>;
  read(id: string): Promise<unknown>;
  /** Creates users by a bulk job; the status of each. */
  bulk(users: readonly JsonObject[]): Promise<readonly number[]>;
  /** The names of all users. */
  names(): Promise<readonly unknown[]>;
}

const CONTEXT: RequestContext = {
  tenant: "acme",
  connection: "okta",
  subject: null,
  profile: PROFILES.strict,
  baseUrl: "https://scim.example/scim/v2",
  signal: undefined,
  onSwitch: () => undefined,
};

const PLAIN = { type: "User", attributes: null, excludedAttributes: null, prefer: null } as const;
const ANY = { ifMatch: null, ifNoneMatch: null };

/** Makes a service. */
export function hookedService(
  store: ResourceStore,
  hooks: Readonly<Record<string, ResourceHooks>>,
  limits: Partial<ServiceLimits> = {},
): HookedService {
  const service = createScimService({
    registry: createDefaultRegistry(),
    store,
    hooks,
    limits,
    sources: {
      now: () => Date.now(),
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
  });
  const bodyOf = (members: JsonObject): JsonObject => ({ schemas: [USER_URN], ...members });
  return {
    create: async (members) => {
      const { resource } = await service.create(CONTEXT, { ...PLAIN, body: bodyOf(members) });
      return String(resource["id"]);
    },
    dryCreate: (members) =>
      service.dryRun(CONTEXT, { operation: "create", request: { ...PLAIN, body: bodyOf(members) } }),
    patch: async (id, Operations, version) => {
      const body = { schemas: [PATCH_OP_URN], Operations };
      const precondition = version === undefined ? ANY : { ...ANY, ifMatch: [version] };
      await service.patch(CONTEXT, { ...PLAIN, id, body, precondition });
    },
    put: async (id, members) => {
      await service.replace(CONTEXT, { ...PLAIN, id, body: bodyOf(members), precondition: ANY });
    },
    remove: (id) => service.delete(CONTEXT, { type: "User", id, precondition: ANY }),
    dryRemove: (id) =>
      service.dryRun(CONTEXT, { operation: "delete", request: { type: "User", id, precondition: ANY } }),
    read: (id) => service.read(CONTEXT, { ...PLAIN, id, precondition: ANY }),
    bulk: async (users) => {
      const Operations = users.map((members, index) => ({
        method: "POST",
        path: "/Users",
        bulkId: `u${index}`,
        data: bodyOf(members),
      }));
      const body = { schemas: [BULK_REQUEST_URN], Operations };
      const { operations } = await service.bulk(CONTEXT, { body, authorize: () => undefined });
      return operations.map(({ status }) => status);
    },
    names: async () => {
      const { resources } = await service.list(CONTEXT, {
        ...PLAIN,
        filter: null,
        sortBy: "userName",
        sortOrder: null,
        startIndex: null,
        count: null,
        cursor: null,
        source: "body",
      });
      return resources.map((resource) => resource["userName"]);
    },
  };
}
