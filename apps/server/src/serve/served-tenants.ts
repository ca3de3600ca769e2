/**
 * The service of each tenant: one for all who have nothing of their own, and one for each that has.
 * @module
 */
import type { OperatorService, OwnRules, ResourceHooks, SecretSink, ServiceLimits } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import { limitsOfService, serviceLimits } from "./service-limits.ts";
import type { Settings } from "../settings/table.ts";
import type { ServedBy, ServedTenantRules } from "../schemas/tenant-rules.ts";

/** What services of tenants are made of. */
export interface ServedParts {
  readonly settings: Settings;
  readonly rules: ServedTenantRules;
  /** Makes the service of all who have nothing of their own. */
  readonly service: OperatorService;
  /** Hashes the secrets of tenants that keep them. */
  readonly secrets: SecretSink;
  /** What is said to changes of the types of a registry. Default: nothing. */
  readonly hooksOf?: (registry: SchemaRegistry) => Readonly<Record<string, ResourceHooks>>;
  /** What is put round each service, such as spans. Default: nothing. */
  readonly wrap?: (service: OperatorService) => OperatorService;
}

/** A service, and what is behind it. */
export interface ServedTenant {
  readonly service: OperatorService;
  readonly registry: SchemaRegistry;
  readonly limits: Partial<ServiceLimits>;
}

/** The services of tenants. */
export interface ServedTenants {
  readonly serviceOf: (tenant: string) => OperatorService | Promise<OperatorService>;
  /** The service of a tenant, and what is behind it: the same object while it is the same. */
  readonly of: (tenant: string) => ServedTenant | Promise<ServedTenant>;
}

/** Finds the services of tenants. One that is made goes with the rules that it was made for. */
export function servedTenants(parts: ServedParts): ServedTenants {
  const { settings, rules, service, secrets, hooksOf, wrap = (each) => each } = parts;
  const made = new WeakMap<ServedBy, ServedTenant>();
  const servedBy = (of: ServedBy): ServedTenant => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const { registry, documents, isShared } = of;
    const limits = limitsOfService(of.limits);
    const own: OwnRules = {
      registry,
      schemaRevision: documents,
      limits,
      hooks: hooksOf?.(registry),
      secrets: of.secrets === "hash" ? secrets : null,
    };
    const served: ServedTenant = {
      service: isShared ? service : wrap(service.adapted(own)),
      registry,
      limits: { ...serviceLimits(settings), ...limits },
    };
    made.set(of, served);
    return served;
  };
  const of: ServedTenants["of"] = (tenant) => {
    const found = rules.of(tenant);
    return found instanceof Promise ? found.then(servedBy) : servedBy(found);
  };
  return {
    of,
    serviceOf: (tenant) => {
      const found = of(tenant);
      return found instanceof Promise ? found.then((served) => served.service) : found.service;
    },
  };
}
