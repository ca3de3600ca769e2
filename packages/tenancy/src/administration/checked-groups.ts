/**
 * The roles that groups of an issuer give, as they are entered.
 * @module
 */
import type { AdminGroup, AdminGroups } from "../admins/admin-identity.ts";
import type { AdminPorts } from "./ports.ts";
import { TenancyError } from "./tenancy-error.ts";
import { requireTenant } from "./tenants.ts";

/** Groups of one issuer at most. */
const MOST_GROUPS = 100;
/** Characters of a claim or a group; none of them steers a terminal. */
const NAME = /^\P{Cc}{1,256}$/u;

/**
 * Checks them: each group is named once, and the tenants of those that administer one are there.
 * @throws TenancyError `invalid`, `notFound`
 */
export async function checkedGroups(
  ports: Pick<AdminPorts, "tenants">,
  wanted: AdminGroups | null,
): Promise<AdminGroups | null> {
  if (wanted === null) return null;
  const { claim, roles } = wanted;
  const names = [claim, ...roles.map(({ group }) => group)];
  if (!names.every((name) => NAME.test(name)))
    throw new TenancyError("invalid", "The claim of groups, and each group, has 1 to 256 characters.");
  if (roles.length === 0 || roles.length > MOST_GROUPS)
    throw new TenancyError("invalid", `Give roles to 1 to ${MOST_GROUPS} groups.`);
  if (new Set(names.slice(1)).size < roles.length)
    throw new TenancyError("invalid", "A group has one role: name each group once.");
  const checked: AdminGroup[] = [];
  for (const { group, role, tenant } of roles) {
    if ((role === "tenant-admin") !== (tenant !== null))
      throw new TenancyError("invalid", "A tenant-admin has one tenant, and no other role has any.");
    if (tenant !== null) await requireTenant(ports, tenant);
    checked.push({ group, role, tenant });
  }
  return { claim, roles: checked };
}
