/**
 * The service as operators have it: with imports, exports and restored resources, and adapted to tenants.
 * @module
 */
import type { CacheCounts } from "@scim/filter";
import type { SchemaRegistry } from "@scim/schemas";
import type { RequestContext } from "./context.ts";
import type { ResourceHooks } from "./hooks/resource-hooks.ts";
import type { ServiceLimits } from "./limits.ts";
import type { ExportedResource } from "./operations/export.ts";
import type { ImportOperations } from "./operations/import/import-operations.ts";
import type { RestoreOperations } from "./operations/restore/restore-operations.ts";
import type { SecretSink } from "./secrets/secret-sink.ts";
import type { ScimService } from "./service.ts";

/** What some tenants of a service have of their own; what is left out is as the service has it. */
export interface OwnRules {
  /** Schemas and resource types. */
  readonly registry?: SchemaRegistry | undefined;
  /** Revision of the tenant's own schemas that the registry is. Default: as of the service that is adapted. */
  readonly schemaRevision?: number | undefined;
  /** What the application says to changes, by resource type of the registry. */
  readonly hooks?: Readonly<Record<string, ResourceHooks>> | undefined;
  /** Who hashes secrets; null where they are dropped. */
  readonly secrets?: SecretSink | null | undefined;
  /** Limits that bound requests and answers; those of values are the service's. */
  readonly limits?:
    | Partial<Pick<ServiceLimits, "pageSize" | "maxResults" | "bulkOperations" | "answerReferences">>
    | undefined;
}

/** Finds the service of a tenant: one for all, or one that was {@link OperatorService.adapted} for it. */
export type ServiceOf = (tenant: string) => ScimService | Promise<ScimService>;

/** What operators do beside: move resources in and out, and restore deleted ones. */
export interface OperatorService extends ScimService, ImportOperations, RestoreOperations {
  /**
   * The resources of a type in order of id, as an import takes them: with `id` and `meta.created`, without `$ref`,
   * versions and derived attributes, and without what is never returned. Each is read as it is at one moment.
   * @throws ScimError `unavailable` where the store cannot be read now
   */
  exportResources(context: RequestContext, type: string): AsyncIterable<ExportedResource>;
  /**
   * The same service with other rules, for tenants that have some of their own. It shares the store, the turns of changes
   * and what was compiled; indexes that its registry wants are not seen to (see `IndexCatalog.maintain`).
   * @throws TypeError for hooks of a type that the registry has not, and a sink of secrets whose hashes the store cannot keep
   */
  adapted(rules: OwnRules): OperatorService;
  /** What the service keeps so as not to make it twice, for metrics. */
  caches(): ServiceCaches;
}

/** How often each cache of a service had what it was asked for. */
export interface ServiceCaches {
  /** Filters and paths that were parsed. */
  readonly filters: CacheCounts;
  /** Validators that were compiled from schemas. */
  readonly validators: CacheCounts;
  /** Texts of resources that are read one by one. */
  readonly texts: CacheCounts;
}
