/**
 * Discovery: what a service can do, and which schemas and resource types it has (RFC 7644 §4).
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  RESOURCE_OPERATIONS,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  type JsonObject,
  type JsonValue,
  type SchemaDefinition,
} from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import { ConnectionError } from "../errors/connection-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Call } from "../exchange/call.ts";
import type { Engine } from "../exchange/engine.ts";
import type { CallOptions } from "../resources/options.ts";
import type { ClientResourceType } from "../resources/resource-type.ts";
import { allPages, type Discovered } from "./all-pages.ts";
import {
  capabilitiesOf,
  configExtensionOf,
  NO_EXTENSION,
  UNKNOWN_CAPABILITIES,
  type Capabilities,
  type ConfigExtension,
} from "./capabilities.ts";

/** What a service says of itself. */
export interface Discovery {
  /** The ServiceProviderConfig, read anew. */
  serviceProviderConfig(options?: CallOptions): Promise<JsonObject>;
  /**
   * All schemas, read anew, page by page where the service has pages.
   * @throws {@link PagingError} where the pages contradict their total, or do not end
   */
  schemas(options?: CallOptions): Promise<readonly SchemaDefinition[]>;
  /**
   * All resource types with their schemas, read anew; what {@link ScimClient.resource} takes.
   * @throws {@link PagingError} where the pages contradict their total, or do not end
   */
  resourceTypes(options?: CallOptions): Promise<readonly ClientResourceType[]>;
  /**
   * What the service can do. Read once; a service that refuses to tell, or tells nonsense, is taken for one that can do
   * little, and asked again the next time where that may pass, such as a page of something else in its place.
   */
  capabilities(options?: Pick<CallOptions, "signal">): Promise<Capabilities>;
  /**
   * What the service can do beyond the RFCs, which it tells in an extension of its ServiceProviderConfig when it is asked
   * for that. Read once, as {@link capabilities}; a service that knows of none, or refuses the question, offers nothing of it.
   * @throws what {@link serviceProviderConfig} throws where another time may tell: who went on without a dry run then would
   *   do without what there is
   */
  configExtension(options?: Pick<CallOptions, "signal">): Promise<ConfigExtension>;
}

/** Asks for the extension; what else is there need not be in the answer. */
const ASKED_FOR = `?attributes=${SERVICE_PROVIDER_CONFIG_EXTENSION_URN}`;

/** Statuses by which a service says that it does not tell, or does not take the question, whoever asks and when. */
const UNTOLD: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 501]);

/** Makes the discovery of a client. */
export function createDiscovery(engine: Engine): Discovery {
  const read = (path: string, options: CallOptions & Pick<Call, "takesList">, query = ""): Promise<Answer> =>
    engine.send({ method: "GET", path, query, repetition: "safe", ...options, signal: options.signal });
  const readAll = (path: string, options: CallOptions): Promise<readonly Discovered[]> =>
    allPages((query) => read(path, { ...options, takesList: true }, query));
  const serviceProviderConfig = async (options: CallOptions = {}): Promise<JsonObject> =>
    objectOf(await read("/ServiceProviderConfig", options));
  const schemas = async (options: CallOptions = {}): Promise<readonly SchemaDefinition[]> =>
    (await readAll("/Schemas", options)).map(schemaOf);

  const capabilities = readOnce({
    read: () => serviceProviderConfig().then(capabilitiesOf),
    untold: UNKNOWN_CAPABILITIES,
    guesses: true,
  });
  const configExtension = readOnce({
    read: async () => configExtensionOf(objectOf(await read("/ServiceProviderConfig", {}, ASKED_FOR))),
    untold: NO_EXTENSION,
    guesses: false,
  });

  return {
    serviceProviderConfig,
    schemas,
    resourceTypes: async (options = {}) => {
      const [types, found] = await Promise.all([readAll("/ResourceTypes", options), schemas(options)]);
      const byUrn = new Map(found.map((schema) => [schema.id.toLowerCase(), schema]));
      return types.map((type) => resourceTypeOf(type, byUrn));
    },
    capabilities: ({ signal } = {}) => unlessAborted(capabilities(), signal),
    configExtension: ({ signal } = {}) => unlessAborted(configExtension(), signal),
  };
}

interface Telling<Told> {
  readonly read: () => Promise<Told>;
  /** What counts where the service refuses to tell. */
  readonly untold: Told;
  /** Whether that counts as well for as long as another time may tell. */
  readonly guesses: boolean;
}

/** Reads what a service tells of itself, and keeps it. */
function readOnce<Told>({ read, untold, guesses }: Telling<Told>): () => Promise<Told> {
  let known: Promise<Told> | null = null;
  return () =>
    (known ??= read().catch((error: unknown) => {
      const forGood = isForGood(error);
      if (!forGood) known = null;
      // What breaks here may work elsewhere.
      const answered = error instanceof ServiceError || error instanceof InvalidAnswerError;
      if (forGood || (guesses && answered)) return untold;
      throw error;
    }));
}

/** Whether it will be the same the next time: not so a page of what stands in for the service, or an answer that broke off. */
function isForGood(error: unknown): boolean {
  if (error instanceof ServiceError) return UNTOLD.has(error.status);
  return error instanceof InvalidAnswerError && error.code !== "notScim" && error.code !== "cutOff";
}

/** One caller that gives up does not end the request that others wait for. */
function unlessAborted<Told>(work: Promise<Told>, signal: AbortSignal | undefined): Promise<Told> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const request = { method: "GET", path: "/ServiceProviderConfig", requestId: null, attempts: 0 };
      reject(new ConnectionError("aborted", "the request was given up", { request, cause: signal.reason }));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function objectOf({ body, request, status }: Answer): JsonObject {
  if (body !== null) return body;
  throw new InvalidAnswerError("invalidMessage", "the answer is empty", { request, status });
}

function schemaOf({ resource, answer: { request, status } }: Discovered): SchemaDefinition {
  const { id, attributes } = resource;
  if (typeof id !== "string" || !isJsonArray(attributes) || !attributes.every(isAttribute)) {
    throw new InvalidAnswerError("invalidMessage", "a schema has no 'id', or its 'attributes' are none", {
      request,
      status,
    });
  }
  // Checked as far as the client reads it.
  return resource as unknown as SchemaDefinition;
}

function isAttribute(value: JsonValue): boolean {
  if (!isJsonObject(value) || typeof value["name"] !== "string" || typeof value["type"] !== "string")
    return false;
  const subs = value["subAttributes"];
  if (value["type"] === "complex") return isJsonArray(subs) && subs.every(isAttribute);
  return true;
}

function resourceTypeOf(
  { resource, answer: { request, status } }: Discovered,
  schemas: ReadonlyMap<string, SchemaDefinition>,
): ClientResourceType {
  const { name, endpoint, schema: urn, schemaExtensions, operations } = resource;
  const schema = typeof urn === "string" ? schemas.get(urn.toLowerCase()) : undefined;
  if (typeof name !== "string" || typeof endpoint !== "string" || schema === undefined) {
    throw new InvalidAnswerError(
      "invalidMessage",
      "a resource type has no 'name' or 'endpoint', or its schema is not among the schemas",
      { request, status },
    );
  }
  const bound = isJsonArray(schemaExtensions) ? schemaExtensions.filter(isJsonObject) : [];
  const extensions = bound.flatMap(({ schema: extension }) => {
    const found = typeof extension === "string" ? schemas.get(extension.toLowerCase()) : undefined;
    return found === undefined ? [] : [found];
  });
  const type = { name, endpoint: pathOf(endpoint), schema, extensions };
  if (!isJsonArray(operations)) return type;
  return { ...type, operations: RESOURCE_OPERATIONS.filter((each) => operations.includes(each)) };
}

/** Some services give the endpoint as an absolute address, or without the slash before it. */
function pathOf(endpoint: string): string {
  const last = endpoint.split("/").findLast((part) => part !== "") ?? endpoint;
  return URL.canParse(endpoint) ? `/${last}` : `/${endpoint.replace(/^\/+/, "")}`;
}
