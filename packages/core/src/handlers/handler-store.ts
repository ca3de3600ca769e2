/**
 * A store of which the resources of some types are kept by handlers, and all others by a store of ours.
 * @module
 */
import { ScimError, type SchemaRegistry } from "@scim/schemas";
import type { Sources } from "../environment.ts";
import { createModelCatalog } from "../model/catalog.ts";
import { capabilitiesOf, DEFAULT_CAPABILITIES } from "../store/capabilities.ts";
import type { DeletedResources } from "../store/deleted-resources.ts";
import type { ResourceStore } from "../store/port.ts";
import type { StoredResource, StoredText } from "../store/stored-resource.ts";
import { queryHandler } from "./handler-query.ts";
import { readReferences, readState, readStates, withCollections } from "./handler-reads.ts";
import { countHandledRows, handledReferrers, handledRows } from "./handler-rows.ts";
import { handlerSnapshot } from "./handler-snapshot.ts";
import { handlerCapabilities, type HandlerType } from "./handler-type.ts";
import { keepsNothing, writeHandled } from "./handler-writes.ts";
import { requireTime } from "../time-limit.ts";
import { storedReferrers } from "./referrers.ts";
import type { ResourceHandler } from "./resource-handler.ts";
import { type TextStore, withForeignInverses } from "./foreign-inverses.ts";

/** What a store of handlers is made of. */
export interface HandlerStoreOptions {
  readonly registry: SchemaRegistry;
  /** Those of the service. */
  readonly sources: Pick<Sources, "digest">;
  /** Handlers by the name of their resource type. */
  readonly handlers: Readonly<Record<string, ResourceHandler>>;
  /**
   * Keeps the resources of all other types. Default: none, requests for them are answered with 501, and a query over all
   * types finds those of the others.
   */
  readonly store?: ResourceStore;
  /** Most milliseconds of one call of a handler, or of the next resource of its list. Default 10,000. */
  readonly timeout?: number;
}

/** Most milliseconds of one call, where nothing else is said. */
const TIMEOUT = 10_000;

/**
 * Makes a store of handlers. Nothing is written to a handler and to the store in one transaction, and a value that is
 * unique over all types (`uniqueness: "global"`) is so within each of them.
 *
 * @example
 * const service = createScimService({
 *   registry,
 *   sources,
 *   store: createHandlerStore({ registry, sources, handlers: { User: users }, store: sqlite.resources }),
 * });
 * @throws TypeError for a handler that lacks what each must have, or of a type that the registry does not have or that
 * shows rows of another, for a pattern of ids with the flag `g` or `y`, and for a `timeout` that is no number above 0
 */
export function createHandlerStore(options: HandlerStoreOptions): ResourceStore {
  const { registry, store = null, timeout = TIMEOUT } = options;
  requireTime("timeout", timeout);
  const handlers = requireHandlers(options);
  const catalog = createModelCatalog(registry);
  const typeOf = (name: string): HandlerType | null => {
    const handler = handlers.get(name);
    if (handler === undefined) return null;
    return {
      handler,
      model: catalog.model(name),
      sources: options.sources,
      timeout,
    };
  };
  const storeOf = (name: string): ResourceStore => {
    if (store === null) throw noStore(name);
    return store;
  };

  const read: ResourceStore["read"] = async (scope, { type, id }, select) => {
    const handled = typeOf(type);
    if (handled === null) return storeOf(type).read(scope, { type, id }, select);
    const state = await readState(handled, scope, id);
    const [stored] = await withCollections(handled, scope, { states: state === null ? [] : [state], select });
    return stored ?? null;
  };

  const routed: TextStore = {
    read,
    readText: async (scope, target, select) => {
      if (!handlers.has(target.type) && store?.readText !== undefined)
        return store.readText(scope, target, select);
      const stored = await read(scope, target, select);
      return stored === null ? null : textOf(stored);
    },
    readMany: async (scope, { type, ids }, select) => {
      const handled = typeOf(type);
      if (handled === null) return storeOf(type).readMany(scope, { type, ids }, select);
      return withCollections(handled, scope, { states: await readStates(handled, scope, ids), select });
    },
    references: async (scope, { type, id, path }, selection) => {
      const handled = typeOf(type);
      return handled === null
        ? storeOf(type).references(scope, { type, id, path }, selection)
        : readReferences(handled, scope, { id, path, selection });
    },
    snapshot: async (scope) => handlerSnapshot(routed, { scope, store, typeOf }),
    // A handler has no stages, and says so: see `handlerCapabilities`.
    stage: async (scope, type) => storeOf(type).stage(scope, type),
    referenceRows: async (scope, query) => {
      const handled = typeOf(query.type);
      return handled === null
        ? storeOf(query.type).referenceRows(scope, query)
        : handledRows(handled, scope, query);
    },
    countReferenceRows: async (scope, filter) => {
      const handled = typeOf(filter.type);
      return handled === null
        ? storeOf(filter.type).countReferenceRows(scope, filter)
        : countHandledRows(handled, scope, filter);
    },
    query: async (scope, query) => {
      const handled = typeOf(query.type);
      return handled === null ? storeOf(query.type).query(scope, query) : queryHandler(handled, scope, query);
    },
    write: async (scope, plan) => {
      const handled = typeOf(plan.type);
      return handled === null
        ? storeOf(plan.type).write(scope, plan)
        : writeHandled(handled, scope, { plan, dryRun: false });
    },
    preview: async (scope, plan) => {
      const handled = typeOf(plan.type);
      return handled === null
        ? storeOf(plan.type).preview(scope, plan)
        : writeHandled(handled, scope, { plan, dryRun: true });
    },
    purge: async (before, limit) => (store === null ? 0 : store.purge(before, limit)),
    capabilities: (type) => {
      const handler = handlers.get(type);
      if (handler !== undefined) return handlerCapabilities(handler);
      return store === null ? { ...DEFAULT_CAPABILITIES, kept: false } : capabilitiesOf(store, type);
    },
    ...(store?.indexes === undefined ? {} : { indexes: store.indexes }),
    // Of handled types it keeps how far a run is, and no resources: see `handlerCapabilities`.
    ...(store?.imports === undefined ? {} : { imports: store.imports }),
    ...(store?.rules === undefined ? {} : { rules: store.rules }),
    ...(store?.secrets === undefined ? {} : { secrets: store.secrets }),
    ...(store?.deleted === undefined ? {} : { deleted: deletedBeside(store.deleted, typeOf) }),
  };

  return withForeignInverses(routed, {
    isHandled: (type) => handlers.has(type),
    find: async (scope, type, query) => {
      const handled = typeOf(type);
      if (handled !== null) return handledReferrers(handled, scope, query);
      // What nobody keeps refers to nothing.
      return store === null ? [] : storedReferrers(store, scope, { ...query, type });
    },
  });
}

function textOf({ body, ...others }: StoredResource): StoredText {
  return { ...others, text: JSON.stringify(body) };
}

/** What every handler has, and what it may have. */
const METHODS = ["get", "list", "create", "replace", "delete"] as const;
const MORE_METHODS = ["getMany", "references", "referrers"] as const;

function requireHandlers({ handlers, registry }: HandlerStoreOptions): ReadonlyMap<string, ResourceHandler> {
  const byType = new Map(Object.entries(handlers));
  for (const [type, handler] of byType) {
    requireMembers(type, handler);
    const { ids } = handler;
    const definition = registry.resourceType(type);
    if (definition === undefined)
      throw new TypeError(`A handler is given for ${type}, which is no resource type`);
    if (definition.rowsOf !== undefined)
      throw new TypeError(`A handler is given for ${type}, which shows rows of ${definition.rowsOf.type}`);
    // Such a pattern goes on where it found something last: it would know every second id alone.
    if (ids?.pattern.global === true || ids?.pattern.sticky === true)
      throw new TypeError(`The pattern of ids of ${type} has the flag 'g' or 'y': leave it out`);
  }
  return byType;
}

/** Programs without types leave out what the compiler would ask for, or give the promise of a handler. */
function requireMembers(type: string, handler: Partial<ResourceHandler> | undefined): void {
  for (const name of METHODS)
    if (typeof handler?.[name] !== "function")
      throw new TypeError(`The handler of ${type} has no method '${name}'`);
  for (const name of MORE_METHODS)
    if (!["function", "undefined"].includes(typeof handler?.[name]))
      throw new TypeError(`The handler of ${type} has a '${name}' that is no method`);
  if (typeof handler?.comparesVersions !== "boolean")
    throw new TypeError(
      `The handler of ${type} does not say by 'comparesVersions', true or false, whether it compares versions`,
    );
}

/** Deleted resources of the types that no handler keeps. */
function deletedBeside(
  deleted: DeletedResources,
  typeOf: (name: string) => HandlerType | null,
): DeletedResources {
  return {
    list: (scope, page) => deleted.list(scope, page),
    read: async (scope, target) => {
      const handled = typeOf(target.type);
      if (handled !== null) throw keepsNothing(handled);
      return deleted.read(scope, target);
    },
  };
}

function noStore(type: string): ScimError {
  return new ScimError(
    "notImplemented",
    `The service has the type ${type}, and neither a handler nor a store that keeps its resources.`,
  );
}
