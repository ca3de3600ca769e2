/**
 * `--tenant` of commands.
 * @module
 */
import { ADMIN_TENANT, isTenantName } from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";

/** The flag, as it was given. */
export interface TenantFlag {
  readonly tenant?: string | undefined;
}

/**
 * The tenant of a command; `default` where none is named.
 * @throws CommandFailure where it is no name of a tenant
 */
export function tenantFlag({ tenant = DEFAULT_TENANT }: TenantFlag): string {
  if (isTenantName(tenant)) return tenant;
  throw new CommandFailure(EXIT.usage, `'${tenant}' is no name of a tenant.`);
}

/**
 * The same, and `admin` for the trail of administration.
 * @throws CommandFailure where it is no name of a tenant
 */
export function trailFlag({ tenant }: TenantFlag): string {
  return tenant === ADMIN_TENANT ? tenant : tenantFlag({ tenant });
}
