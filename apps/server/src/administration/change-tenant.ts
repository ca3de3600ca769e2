/**
 * How tenants are changed: with what a change makes superfluous.
 * @module
 */
import {
  changeTenant,
  forgetSecrets,
  type Tenant,
  type TenancyPorts,
  type TenantChange,
} from "@scim/tenancy";
import { REMOVED_AT_ONCE, tenantSettled } from "./deletion.ts";

/**
 * Changes a tenant. Where it says that secrets are dropped, the hashes of those that were kept are gone when it resolves; a change that
 * was interrupted is ended by the same once more.
 */
export async function changeWholeTenant(
  ports: TenancyPorts,
  target: { readonly tenant: string; readonly expected: number | null },
  change: TenantChange,
): Promise<Tenant> {
  const changed = await changeTenant(ports, target, change);
  const { tenant } = target;
  if (change.secrets === "drop")
    await forgetSecrets(ports, { tenant, batch: REMOVED_AT_ONCE, settled: tenantSettled });
  return changed;
}
