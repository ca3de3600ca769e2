/**
 * What each tenant is served by: the schemas and limits of the service, or its own.
 * @module
 */
import { createModelCatalog, indexSource, type IndexSource, type ModelCatalog } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import {
  createTenantRules,
  limitsOfTenant,
  NO_TENANT_SETTINGS,
  ownRegistry,
  type SecretHandling,
  type ServiceCeilings,
  type Tenant,
  type TenantRules,
} from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import type { ServiceRegistries } from "./schema-registry.ts";

/** What a tenant is served by. */
export interface ServedBy {
  readonly registry: SchemaRegistry;
  /** Revision of the tenant's documents that the registry is. */
  readonly documents: number;
  /** The models of the registry. */
  readonly catalog: ModelCatalog;
  readonly limits: ServiceCeilings;
  /** What becomes of secrets, such as passwords. */
  readonly secrets: SecretHandling;
  /** Tells what the registry wants of indexes. */
  readonly indexes: IndexSource;
  /** Whether all of it is what most tenants have. */
  readonly isShared: boolean;
}

/** The rules of tenants, and what is found by them. */
export interface ServedTenantRules extends TenantRules<ServedBy> {
  /** What most tenants have. */
  readonly shared: SchemaRegistry;
  /** What the service has for a tenant without documents of its own. */
  readonly base: ServiceRegistries["of"];
  /** The models of a tenant. */
  readonly catalogOf: (tenant: string) => ModelCatalog | Promise<ModelCatalog>;
  /** What a tenant wants of indexes, by its documents as they are now. */
  readonly indexesOf: (tenant: string) => Promise<IndexSource>;
}

/** What rules are made of. */
export interface RuleParts {
  readonly store: Pick<Store, "tenants" | "documents">;
  /** The schemas and resource types of the service; loaded when they are needed. */
  readonly registries: () => ServiceRegistries;
  readonly ceilings: ServiceCeilings;
}

/** Makes what tells by what each tenant is served. */
export function tenantRules({ store, registries, ceilings }: RuleParts): ServedTenantRules {
  const bases = new Map<SchemaRegistry, ServedBy>();
  const shared = (tenant: string): ServedBy => {
    const registry = registries().of(tenant);
    const known = bases.get(registry);
    if (known !== undefined) return known;
    const made = {
      ...servedBy(registry),
      documents: 0,
      limits: ceilings,
      secrets: NO_TENANT_SETTINGS.secrets,
      isShared: registry === registries().shared,
    };
    bases.set(registry, made);
    return made;
  };
  const make = async (row: Tenant): Promise<ServedBy> => {
    const { tenant } = row;
    const base = shared(tenant);
    const documents = row.documents === 0 ? [] : await store.documents.list(tenant);
    const registry = ownRegistry(base.registry, documents);
    const of = registry === base.registry ? base : servedBy(registry);
    const limits = limitsOfTenant(ceilings, row);
    return { ...of, documents: row.documents, limits, secrets: row.secrets, isShared: false };
  };
  const rules = createTenantRules({ tenants: store.tenants, shared, make, now: Date.now });
  return {
    ...rules,
    get shared() {
      return registries().shared;
    },
    base: (tenant) => registries().of(tenant),
    catalogOf: (tenant) => {
      const found = rules.of(tenant);
      return found instanceof Promise ? found.then(({ catalog }) => catalog) : found.catalog;
    },
    indexesOf: async (tenant) => {
      // Who asks has seen that documents changed: what was known before does not count.
      await rules.find(tenant);
      return (await rules.of(tenant)).indexes;
    },
  };
}

function servedBy(registry: SchemaRegistry): Pick<ServedBy, "registry" | "catalog" | "indexes"> {
  const catalog = createModelCatalog(registry);
  return { registry, catalog, indexes: indexSource(catalog) };
}
