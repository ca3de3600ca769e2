/**
 * The client of a SCIM service.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { createBulkJob, type BulkJob, type BulkParts } from "./bulk/bulk-job.ts";
import { UsageError } from "./errors/usage-error.ts";
import { fieldsOf } from "./filter/fields.ts";
import { operationsOf } from "./patch/patch-builder.ts";
import { tagFor } from "./resources/writing.ts";
import { bodyText } from "./exchange/body-text.ts";
import { Engine } from "./exchange/engine.ts";
import { createDiscovery, type Discovery } from "./discovery/discovery.ts";
import { engineParts, type ClientOptions } from "./options.ts";
import { createResourceClient } from "./resources/create-resource-client.ts";
import { resourceOf, type ResourceParts } from "./resources/parts.ts";
import { bodyWriter } from "./resources/request-body.ts";
import { createOnce } from "./resources/creating.ts";
import type { ResourceClient } from "./resources/resource-client.ts";
import { requireResourceType } from "./resources/given-definitions.ts";
import { GROUP, USER, type ClientResourceType } from "./resources/resource-type.ts";
import type { DynamicResource, ResourceShape } from "./resources/shape.ts";
import type { CallOptions } from "./resources/options.ts";
import type { Transport } from "./transport/port.ts";
import { ResourceCache } from "./versions/resource-cache.ts";
import { idOf, VersionMemory } from "./versions/version-memory.ts";

/** The shape of a resource type. */
type ShapeIn<Type> = Type extends ClientResourceType<infer Shape> ? Shape : never;

/** A client of one service, with the credentials of one caller. */
export interface ScimClient {
  /** The base address. */
  readonly baseUrl: string;
  /** Users, with the enterprise extension. */
  readonly users: ResourceClient<ShapeIn<typeof USER>>;
  readonly groups: ResourceClient<ShapeIn<typeof GROUP>>;
  /** The resources of any type: one that was defined, or found by {@link Discovery.resourceTypes}. */
  resource<Shape extends ResourceShape>(type: ClientResourceType<Shape>): ResourceClient<Shape>;
  /** What the service says of itself. */
  readonly discovery: Discovery;
  /**
   * Many operations in few requests.
   *
   * @example
   * const job = client.bulk();
   * const ada = job.create(client.users, { userName: "ada" });
   * job.create(client.groups, { displayName: "Pioneers", members: [{ value: ada.reference }] });
   * const outcome = await job.run();
   */
  bulk(): BulkJob;
  /** The resource of the caller (RFC 7644 §3.11). */
  me(options?: CallOptions): Promise<DynamicResource>;
  /** Any request of the service, for what has no method of its own. An answer from 200 to 299, and 304, is given back. */
  request(request: PlainRequest): Promise<PlainAnswer>;
  /**
   * Closes connections that the client made; again does nothing more. Requests that are under way are finished, later ones refused
   * with {@link UsageError} `closed`.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A request of one's own. */
export interface PlainRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query below the base address, percent-encoded: `/Users?count=1`. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Whether it may be sent again when nobody knows what became of it. Default: for GET alone. */
  readonly repeatable?: boolean;
}

/** What was answered. */
export interface PlainAnswer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
}

/** Makes a client on a transport. */
export function createClient(options: ClientOptions, transport: Transport): ScimClient {
  const parts = engineParts(options, transport);
  const engine = new Engine(parts);
  const discovery = createDiscovery(engine);
  const memory = new VersionMemory();
  const { cache: cacheLimits = {} } = options;
  const cache = cacheLimits === false ? null : new ResourceCache(cacheLimits);

  const bulkParts = new WeakMap<object, BulkParts>();
  const bulkPartsOf = (resources: object): BulkParts => {
    const known = bulkParts.get(resources);
    if (known !== undefined) return known;
    throw new UsageError("invalidOption", "The resources of a bulk job are those of its client.");
  };

  const resource = <Shape extends ResourceShape>(type: ClientResourceType<Shape>): ResourceClient<Shape> => {
    requireResourceType(type);
    // The shape is a matter of types alone.
    const plain = type as ClientResourceType;
    const own: ResourceParts = {
      engine,
      discovery,
      memory,
      cache,
      type: plain,
      writeBody: bodyWriter(plain),
    };
    const made = createResourceClient<Shape>(own);
    bulkParts.set(made, {
      writeBody: own.writeBody,
      operationsOf: (input) => operationsOf(input, () => fieldsOf(plain)),
      tagOf: (target, change) => tagFor(own, target, change),
      idOf,
      createAlone: async (data, call, doubt) => {
        const { resource: created, status } = await createOnce(own, data, { ...call, doubt });
        return { kind: "done", status, id: created.id, version: memory.versionOf(created) };
      },
    });
    return made;
  };
  const close = async (): Promise<void> => {
    engine.close();
    if (options.transport === undefined) await transport.close();
  };

  return {
    baseUrl: parts.origin + parts.basePath,
    users: resource(USER),
    groups: resource(GROUP),
    resource,
    discovery,
    bulk: () => createBulkJob({ engine, discovery, partsOf: bulkPartsOf }),
    me: async ({ signal, timeout, headers = {} } = {}) => {
      const call = { method: "GET", path: "/Me", repetition: "safe", signal, timeout, headers } as const;
      return resourceOf({ memory }, await engine.send(call), null);
    },
    request: (request) => plainAnswer(engine, request),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A path of visible ASCII, as addresses are, without segments that lead out of the base address (RFC 3986 §3.3). */
const PATH = /^(?!(?:[^?]*\/)?(?:\.|%2e){1,2}(?:[/?]|$))\/[!-"$-[\]-~]*$/i;

async function plainAnswer(engine: Engine, request: PlainRequest): Promise<PlainAnswer> {
  const { method, path, body, repeatable = method === "GET", ...call } = request;
  if (!PATH.test(path))
    throw new UsageError(
      "invalidOption",
      "'path' begins with a slash, is percent-encoded, and has no segments '.' and '..'.",
    );
  const mark = path.indexOf("?");
  const {
    status,
    headers,
    body: answered,
  } = await engine.send({
    ...call,
    headers: call.headers ?? {},
    signal: call.signal,
    method,
    path: mark === -1 ? path : path.slice(0, mark),
    query: mark === -1 ? "" : path.slice(mark),
    body: body === undefined ? null : bodyText(body),
    repetition: method === "GET" ? "safe" : repeatable ? "same" : "more",
  });
  return { status, headers, body: answered };
}
