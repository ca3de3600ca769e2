/**
 * The service of each tenant: one for all who have nothing of their own, and one for each that has.
 * @module
 */
import type { OperatorService, ServiceOf } from "@scim/core";
import type { DescribedService } from "@scim/http/openapi";
import type { OpenedStore } from "./open-store.ts";
import { limitsOfService, serviceLimits } from "./service-limits.ts";
import type { Settings } from "./settings/table.ts";
import type { ServedBy } from "./tenant-rules.ts";
import type { Tracing } from "./tracing/tracing.ts";

/** What services of tenants are made of. */
export interface ServedParts {
  readonly settings: Settings;
  readonly opened: Pick<OpenedStore, "rules">;
  /** The service of all who have nothing of their own. */
  readonly service: OperatorService;
  readonly tracing: Pick<Tracing, "service">;
}

/** The services of tenants. */
export interface ServedTenants {
  readonly serviceOf: ServiceOf;
  /** The service of a tenant, and what is behind it: the same object while it is the same. */
  readonly of: (tenant: string) => DescribedService | Promise<DescribedService>;
}

/** Finds the services of tenants. One that is made goes with the rules that it was made for. */
export function servedTenants({ settings, opened, service, tracing }: ServedParts): ServedTenants {
  const { rules } = opened;
  const made = new WeakMap<ServedBy, DescribedService>();
  const servedBy = (of: ServedBy): DescribedService => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const { registry, isShared } = of;
    const limits = limitsOfService(of.limits);
    const described: DescribedService = {
      service: isShared ? service : tracing.service(service.adapted({ registry, limits })),
      registry,
      limits: { ...serviceLimits(settings), ...limits },
    };
    made.set(of, described);
    return described;
  };
  const of: ServedTenants["of"] = (tenant) => {
    const found = rules.of(tenant);
    return found instanceof Promise ? found.then(servedBy) : servedBy(found);
  };
  return {
    of,
    serviceOf: (tenant) => {
      const found = of(tenant);
      return found instanceof Promise ? found.then((described) => described.service) : found.service;
    },
  };
}
