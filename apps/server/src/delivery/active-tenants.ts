/**
 * Whose receivers are told anything: those of tenants that are active. What a suspended one has to tell waits.
 * @module
 */
import { ADMIN_TENANT, type TenantStore } from "@scim/tenancy";

/** Makes what tells whether a tenant is active; it reads the tenant each time. The trail of administration always is. */
export function activeTenants(tenants: Pick<TenantStore, "find">): (tenant: string) => Promise<boolean> {
  return async (tenant) => tenant === ADMIN_TENANT || (await tenants.find(tenant))?.state === "active";
}
