/**
 * Puts a service together.
 * @module
 */
import type { SchemaRegistry } from "@scim/schemas";
import { tellingOnce } from "./context.ts";
import { createDiscovery } from "./discovery/discovery.ts";
import { diagnose } from "./diagnostics/diagnose.ts";
import type {
  AuthenticationScheme,
  DocumentationUri,
  Environment,
  SecurityEventUris,
  Sources,
} from "./environment.ts";
import { DEFAULT_LIMITS, withLimits, type ServiceLimits } from "./limits.ts";
import { requireHooks } from "./hooks/require-hooks.ts";
import type { ResourceHooks } from "./hooks/resource-hooks.ts";
import { createModelCatalog } from "./model/catalog.ts";
import { runBulk, type BulkOperations } from "./operations/bulk/bulk.ts";
import { changeOperations } from "./operations/change-operations.ts";
import { dryRun } from "./operations/dry-run/dry-run.ts";
import { exportResources } from "./operations/export.ts";
import { passImported, prepareImport } from "./operations/import/import.ts";
import { importNewItems } from "./operations/import/new-items.ts";
import { listResources } from "./operations/list.ts";
import { identify } from "./operations/me.ts";
import { longBodyOpener } from "./operations/long-body/open-long-body.ts";
import { readResource } from "./operations/read.ts";
import { deletedResources, restorableModel } from "./operations/restore/kept-resource.ts";
import { returningMemberships } from "./operations/restore/memberships.ts";
import { previewRestoration, restoreResource } from "./operations/restore/restore.ts";
import { servedTypes } from "./operations/served-type.ts";
import { createTurns } from "./operations/turns.ts";
import { createTargetBinder } from "./patch/target-cache.ts";
import { indexSource } from "./plan/index-source.ts";
import { RecentTexts } from "./projection/recent-texts.ts";
import type { CursorSeal } from "./query/paging/cursor-seal.ts";
import { createFilterParser } from "./query/parser.ts";
import type { OperatorService, OwnRules } from "./operator-service.ts";
import { capabilitiesOf } from "./store/capabilities.ts";
import type { SecretSink } from "./secrets/secret-sink.ts";
import type { ResourceStore } from "./store/port.ts";
import { scopeOf } from "./store/scope.ts";
import { Turns, type TurnRules } from "./turns.ts";
import { createValidator } from "./validation/validator.ts";

/** One place is always left to another tenant. They wait for as long as a crowd takes, and not until their clients give up. */
const STAGE_TURNS: TurnRules = {
  atOnce: 4,
  perTenant: () => 3,
  waiting: 256,
  patience: 20_000,
  refusal: "As many large collections are exchanged as the service may: try again.",
};

/** What a service is made of. */
export interface ScimServiceOptions {
  /** Schemas and resource types; what is added later is served at once. */
  readonly registry: SchemaRegistry;
  /**
   * Revision of a tenant's own schemas before there are any, where tenants can have some: 0. A new resource is stored only
   * while its type means what it meant when the request came. Default null: the schemas of a tenant never change.
   */
  readonly schemaRevision?: number | null;
  readonly store: ResourceStore;
  /** Time, ids, random bytes and hashes. */
  readonly sources: Sources;
  /** What the application says to the changes of resource types, by their name. Default: nothing. */
  readonly hooks?: Readonly<Record<string, ResourceHooks>>;
  /**
   * Hashes secrets, such as passwords, for a store that keeps the hashes. Default: their values are dropped, and the service
   * says that it keeps none (`changePassword`).
   */
  readonly secrets?: SecretSink;
  /** Limits that differ from {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<ServiceLimits>;
  /** What makes cursors (RFC 9865). Default: none; pages are found by index alone, and `cursor` is ignored. */
  readonly cursorSeal?: CursorSeal;
  /** Schemes that `ServiceProviderConfig` lists. Default: none. */
  readonly authenticationSchemes?: readonly AuthenticationScheme[];
  /** Tells the Security Events that `ServiceProviderConfig` lists (RFC 9967 §4). Default: none. */
  readonly securityEvents?: SecurityEventUris;
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
 * @throws TypeError where a part that every service has is missing, a limit is no number, or a hook could never do what it
 * is for
 */
export function createScimService(options: ScimServiceOptions): OperatorService {
  requireParts(options);
  const limits = withLimits(DEFAULT_LIMITS, options.limits);
  const environment: Environment = {
    registry: options.registry,
    catalog: createModelCatalog(options.registry, (type) => capabilitiesOf(options.store, type).ids),
    schemas: options.schemaRevision ?? null,
    store: options.store,
    sources: options.sources,
    secrets: requireKept(options.secrets ?? null, options.store),
    limits,
    validator: createValidator(limits),
    parser: createFilterParser({ maxLength: limits.filterLength, maxDepth: limits.filterDepth }),
    cursorSeal: options.cursorSeal ?? null,
    sensitive: new Set(limits.sensitiveAttributes.map((path) => path.toLowerCase())),
    targets: createTargetBinder(),
    texts: new RecentTexts(),
    hooks: requireHooks(options.hooks ?? {}, options),
    isTrial: false,
    takeTurn: createTurns(),
    stageTurns: new Turns(STAGE_TURNS),
    authenticationSchemes: options.authenticationSchemes ?? [],
    securityEvents: options.securityEvents ?? noSecurityEvents,
    documentationUri: options.documentationUri ?? null,
  };
  options.store.indexes?.maintain(indexSource(environment.catalog));
  return serviceOn(environment);
}

/** Programs without types leave out what the compiler would ask for. */
function requireParts(options: Partial<ScimServiceOptions> | undefined): void {
  for (const name of ["registry", "store", "sources"] as const)
    if (typeof options?.[name] !== "object") throw new TypeError(`createScimService needs '${name}'.`);
}

/** A service must not say that it keeps secrets where nothing does. */
function requireKept(secrets: SecretSink | null, store: ResourceStore): SecretSink | null {
  if (secrets !== null && store.secrets === undefined)
    throw new TypeError("A sink of secrets is given, and the store keeps no hashes: leave it out.");
  return secrets;
}

async function noSecurityEvents(): Promise<null> {
  return null;
}

/** The environment of a service that differs in some rules. Texts and models that are known stay known. */
function adaptedEnvironment(environment: Environment, rules: OwnRules): Environment {
  const { registry = environment.registry, schemaRevision = environment.schemas, hooks, limits } = rules;
  const { store } = environment;
  const { secrets = environment.secrets } = rules;
  const isOther = registry !== environment.registry;
  return {
    ...environment,
    registry,
    catalog: isOther
      ? createModelCatalog(registry, (type) => capabilitiesOf(store, type).ids)
      : environment.catalog,
    schemas: schemaRevision,
    secrets: requireKept(secrets, store),
    limits: withLimits(environment.limits, limits),
    hooks: hooks === undefined ? environment.hooks : requireHooks(hooks, { registry, store }),
  };
}

function serviceOn(environment: Environment): OperatorService {
  const { store } = environment;
  const changes: BulkOperations = {
    ...changeOperations(environment),
    types: () => servedTypes(environment.registry),
  };
  return {
    ...changes,
    me: (context) => {
      const { type, id } = identify(environment, context);
      return { type: type.name, id };
    },
    longBody: (context, type) => longBodyOpener(environment, context, type),
    read: (context, request) => readResource(environment, tellingOnce(context), request),
    list: (context, request) => listResources(environment, tellingOnce(context), request),
    bulk: (context, request) => runBulk(environment, changes, { context, request }),
    prepareImport: (context, request) => prepareImport(environment, tellingOnce(context), request),
    importNew: (context, rules) => importNewItems(environment, tellingOnce(context), rules),
    passImported: (context, request) => passImported(environment, tellingOnce(context), request),
    importProgress: async (context, run) => (await store.imports?.progress(scopeOf(context), run)) ?? null,
    importsBegun: async (context, beginning) =>
      (await store.imports?.begun(scopeOf(context), beginning)) ?? 0,
    forgetImport: async (context, run) => store.imports?.forget(scopeOf(context), run),
    exportResources: (context, type) => exportResources(environment, context, type),
    listDeleted: async (context, page) => {
      if (page.type !== undefined) restorableModel(environment, page.type);
      return deletedResources(environment).list(scopeOf(context), page);
    },
    previewRestore: (context, target) => previewRestoration(environment, context, target),
    returningMemberships: (context, request) => returningMemberships(environment, context, request),
    restore: (context, request) => restoreResource(environment, context, request),
    diagnose: (context, request) => diagnose(environment, tellingOnce(context), request),
    caches: () => ({
      filters: environment.parser.counts(),
      validators: environment.validator.counts(),
      texts: environment.texts.counts(),
    }),
    dryRun: (context, change) => dryRun(environment, tellingOnce(context), change),
    ...createDiscovery(environment),
    adapted: (rules) => serviceOn(adaptedEnvironment(environment, rules)),
  };
}
