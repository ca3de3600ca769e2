/**
 * The services of tenants as commands use them: the rules in this process, without hooks.
 * @module
 */
import { createScimService } from "@scim/core";
import type { Store } from "@scim/store/sqlite";
import { servedTenants, type ServedTenants } from "../serve/served-tenants.ts";
import { serviceLimits } from "../serve/service-limits.ts";
import type { Settings } from "../settings/table.ts";
import { SOURCES } from "../sources.ts";
import type { ServedTenantRules } from "../schemas/tenant-rules.ts";

/** What services are made over. */
export interface OperatorParts {
  readonly store: Pick<Store, "resources" | "indexes" | "secrets">;
  readonly rules: ServedTenantRules;
}

/** Makes the services of tenants over an open store. */
export function operatorServices(settings: Settings, { store, rules }: OperatorParts): ServedTenants {
  const service = createScimService({
    registry: rules.shared,
    schemaRevision: 0,
    store: store.resources,
    sources: SOURCES,
    limits: serviceLimits(settings),
  });
  store.indexes.maintain(rules.indexesOf);
  return servedTenants({ settings, rules, service, secrets: store.secrets });
}
