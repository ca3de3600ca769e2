/**
 * How long what is over is kept: as its tenant says, and else as the settings do.
 * @module
 */
import type { RetentionKind, ServiceRetention, TenantStore } from "@scim/tenancy";
import type { Settings } from "../settings/table.ts";

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** The milliseconds for which something of a tenant is kept. */
export type KeptFor = (kind: RetentionKind, tenant: string) => Promise<number>;

/** Makes what tells how long something is kept; it reads the tenant each time. */
export function keptFor(service: ServiceRetention, tenants: Pick<TenantStore, "find">): KeptFor {
  return async (kind, tenant) => {
    const own = (await tenants.find(tenant))?.retention ?? {};
    return (own[kind] ?? service[kind]) * DAY_MS;
  };
}

/** How long the service keeps what is over, in days, as the settings say. */
export function serviceRetention(settings: Settings): ServiceRetention {
  return {
    deleted: settings["retention.deleted"],
    requests: settings["retention.requests"],
    events: settings["retention.events"],
    audit: settings["retention.audit"],
  };
}
