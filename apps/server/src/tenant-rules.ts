/**
 * What each tenant is served by: the schemas and limits of the service, or its own.
 * @module
 */
import { createModelCatalog, type ModelCatalog } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import {
  createTenantRules,
  limitsOfTenant,
  type ServiceCeilings,
  type Tenant,
  type TenantRules,
} from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";

/** What a tenant is served by. */
export interface ServedBy {
  readonly registry: SchemaRegistry;
  /** The models of the registry. */
  readonly catalog: ModelCatalog;
  readonly limits: ServiceCeilings;
  /** Whether they are those of the service. */
  readonly isShared: boolean;
}

/** What rules are made of. */
export interface RuleParts {
  readonly store: Pick<Store, "tenants">;
  /** The schemas and resource types of the service; loaded when they are needed. */
  readonly registry: () => SchemaRegistry;
  readonly ceilings: ServiceCeilings;
}

/** Makes what tells by what each tenant is served. */
export function tenantRules({ store, registry, ceilings }: RuleParts): TenantRules<ServedBy> {
  let made: ServedBy | null = null;
  const shared = (): ServedBy =>
    (made ??= {
      registry: registry(),
      catalog: createModelCatalog(registry()),
      limits: ceilings,
      isShared: true,
    });
  return createTenantRules({
    tenants: store.tenants,
    shared,
    make: async (tenant: Tenant) => ({
      ...shared(),
      limits: limitsOfTenant(ceilings, tenant),
      isShared: false,
    }),
    now: Date.now,
  });
}
