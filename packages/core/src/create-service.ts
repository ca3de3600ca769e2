/**
 * Puts a service together.
 * @module
 */
import { COMMON_ATTRIBUTES, RESOURCE_OPERATIONS, ScimError, type SchemaRegistry } from "@scim/schemas";
import { tellingOnce } from "./context.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import type { AuthenticationScheme, DocumentationUri, Environment, Sources } from "./environment.ts";
import { DEFAULT_LIMITS, type ServiceLimits } from "./limits.ts";
import { createModelCatalog } from "./model/catalog.ts";
import type { ResourceModel } from "./model/resource-model.ts";
import { createResource } from "./operations/create.ts";
import { deleteResource } from "./operations/delete.ts";
import { listResources } from "./operations/list.ts";
import { patchResource } from "./operations/patch.ts";
import { readResource } from "./operations/read.ts";
import { replaceResource } from "./operations/replace.ts";
import { createTurns } from "./operations/turns.ts";
import { createTargetBinder } from "./patch/target-cache.ts";
import { createFilterParser } from "./query/parser.ts";
import type { ScimService, ServedType } from "./service.ts";
import type { ResourceStore } from "./store/port.ts";
import { createValidator } from "./validation/validator.ts";

/** What a service is made of. */
export interface ScimServiceOptions {
  /** Schemas and resource types; what is added later is served at once. */
  readonly registry: SchemaRegistry;
  readonly store: ResourceStore;
  /** Time, ids, random bytes and hashes. */
  readonly sources: Sources;
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<ServiceLimits>;
  /** Schemes that `ServiceProviderConfig` lists. Default: none. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[];
  /** Address of documentation for people, where it follows from the request as a function. Default: none. */
  readonly documentationUri?: DocumentationUri;
}

/**
 * Makes a SCIM service provider: the rules of RFC 7643 and RFC 7644 over a store, without a word of HTTP.
 *
 * @example
 * const service = createScimService({ registry: createDefaultRegistry(), store, sources });
 * const answer = await service.create(context, {
 *   type: "User",
 *   body: { schemas: [USER_URN], userName: "bjensen" },
 *   attributes: null,
 *   excludedAttributes: null,
 * });
 */
export function createScimService(options: ScimServiceOptions): ScimService {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const environment: Environment = {
    registry: options.registry,
    catalog: createModelCatalog(options.registry),
    store: options.store,
    sources: options.sources,
    limits,
    validator: createValidator(),
    parser: createFilterParser({ maxLength: limits.filterLength, maxDepth: limits.filterDepth }),
    targets: createTargetBinder(),
    takeTurn: createTurns(),
    authenticationSchemes: options.authenticationSchemes ?? [],
    documentationUri: options.documentationUri ?? null,
  };
  return {
    types: () => environment.catalog.models().map(servedType),
    create: (context, request) => createResource(environment, tellingOnce(context), request),
    read: (context, request) => readResource(environment, tellingOnce(context), request),
    replace: (context, request) => replaceResource(environment, tellingOnce(context), request),
    patch: (context, request) => patchResource(environment, tellingOnce(context), request),
    delete: (context, request) => deleteResource(environment, context, request),
    list: (context, request) => listResources(environment, tellingOnce(context), request),
    bulk: async () => {
      throw new ScimError("notImplemented", "/Bulk is not offered; send the operations one by one.");
    },
    dryRun: async () => {
      throw new ScimError("notImplemented", "Dry runs are not offered.");
    },
    me: () => {
      throw new ScimError("notImplemented", "/Me is not offered; use the address of the resource.");
    },
    ...createDiscovery(environment),
  };
}

const COMMON_NAMES: ReadonlySet<string> = new Set(COMMON_ATTRIBUTES.map(({ name }) => name));
const served = new WeakMap<ResourceModel, ServedType>();

/** A type of which every attribute is readOnly can only be read. */
function servedType(model: ResourceModel): ServedType {
  const known = served.get(model);
  if (known !== undefined) return known;
  const own = [...model.members.values()].filter((node) => !COMMON_NAMES.has(node.attribute.name));
  const isReadOnly = own.every((node) => node.attribute.mutability === "readOnly");
  const allowed = new Set(model.definition.operations ?? RESOURCE_OPERATIONS);
  const made: ServedType = {
    name: model.name,
    endpoint: model.definition.endpoint,
    operations: isReadOnly
      ? new Set([...allowed].filter((each) => each === "read" || each === "query"))
      : allowed,
    hasCollections: model.collections.length > 0,
  };
  served.set(model, made);
  return made;
}
