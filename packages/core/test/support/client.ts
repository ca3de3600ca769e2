/**
 * Calls of a service with what a plain request leaves out filled in.
 * @module
 */
import { PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import type {
  ListAnswer,
  ListRequest,
  NoContentAnswer,
  NotModifiedAnswer,
  PatchRequest,
  RequestContext,
  ResourceAnswer,
  ScimService,
} from "../../src/index.ts";

/** What a request may add to a plain one. */
export type RequestOptions = Partial<
  Pick<PatchRequest, "attributes" | "excludedAttributes" | "precondition" | "prefer" | "streams">
>;

/** A query without the parameters that it does not give. */
export type Query = Partial<Omit<ListRequest, "type">>;

/** A client of a service in one context. */
export interface TestClient {
  post(type: string, body: JsonValue, options?: RequestOptions): Promise<ResourceAnswer>;
  get(type: string, id: string, options?: RequestOptions): Promise<ResourceAnswer | NotModifiedAnswer>;
  put(type: string, id: string, body: JsonValue, options?: RequestOptions): Promise<ResourceAnswer>;
  patch(
    type: string,
    id: string,
    operations: JsonValue,
    options?: RequestOptions,
  ): Promise<ResourceAnswer | NoContentAnswer>;
  delete(type: string, id: string, options?: RequestOptions): Promise<void>;
  /** A page of a type; null lists all types. */
  list(type: string | null, query?: Query): Promise<ListAnswer>;
  /** The resource that GET answers. */
  resource(type: string, id: string, options?: RequestOptions): Promise<JsonObject>;
  /** The resource that PATCH answers. */
  patched(type: string, id: string, operations: JsonValue, options?: RequestOptions): Promise<JsonObject>;
  /** The ids of the resources that a filter matches. */
  matches(type: string, filter: string): Promise<readonly JsonValue[]>;
}

const PLAIN = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
  prefer: null,
} as const;
const NO_QUERY = {
  filter: null,
  sortBy: null,
  sortOrder: null,
  startIndex: null,
  count: null,
  cursor: null,
  source: "body",
} as const;

/** Makes a client. */
export function createTestClient(service: ScimService, context: RequestContext): TestClient {
  const client: TestClient = {
    post: (type, body, options) => service.create(context, { ...PLAIN, ...options, type, body }),
    get: (type, id, options) => service.read(context, { ...PLAIN, ...options, type, id }),
    put: (type, id, body, options) => service.replace(context, { ...PLAIN, ...options, type, id, body }),
    patch: (type, id, operations, options) =>
      service.patch(context, { ...PLAIN, ...options, type, id, body: patchBody(operations) }),
    delete: (type, id, options) => service.delete(context, { ...PLAIN, ...options, type, id }),
    list: (type, query) => service.list(context, { ...PLAIN, ...NO_QUERY, ...query, type }),
    resource: async (type, id, options) => resourceOf(await client.get(type, id, options)),
    patched: async (type, id, operations, options) =>
      resourceOf(await client.patch(type, id, operations, options)),
    matches: async (type, filter) =>
      (await client.list(type, { filter })).resources.map((each) => each["id"] ?? null),
  };
  return client;
}

/** The body of a PATCH. */
export function patchBody(operations: JsonValue): JsonObject {
  return { schemas: [PATCH_OP_URN], Operations: operations };
}

/** The resource of an answer that must hold one. */
export function resourceOf(answer: ResourceAnswer | NotModifiedAnswer | NoContentAnswer): JsonObject {
  if (answer.kind !== "resource") throw new TypeError(`Expected a resource, not ${answer.kind}`);
  return answer.resource;
}

/** The `id` of the resource of an answer. */
export function idOf(answer: ResourceAnswer): string {
  return String(answer.resource["id"]);
}
