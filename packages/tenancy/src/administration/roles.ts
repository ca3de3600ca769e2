/**
 * Named administrators: what each role may do.
 * @module
 */
import type { AdminScope, Principal } from "@scim/core";
import { ADMIN_TENANT } from "../credentials/token-text.ts";

/**
 * - `owner`: everything;
 * - `operator`: all tenants, but neither their deletion nor administrators;
 * - `support`: reads, and sees no values of persons;
 * - `tenant-admin`: one tenant, but neither its state nor its rates.
 */
export type AdminRole = "owner" | "operator" | "support" | "tenant-admin";

/** The roles. */
export const ADMIN_ROLES: readonly AdminRole[] = ["owner", "operator", "support", "tenant-admin"];

/** Who administers. */
export interface Administrator {
  /** Id of the token. */
  readonly credential: string;
  /** Name of the token, or its id where it has none: by it the audit log names the administrator. */
  readonly name: string;
  readonly role: AdminRole;
  /** The one tenant of a `tenant-admin`; null for the others. */
  readonly tenant: string | null;
}

/**
 * What an address of the admin API asks for:
 * - `read`: states and settings, nothing of persons;
 * - `readPersons`: values of persons;
 * - `change`: connections and tokens of a tenant;
 * - `operate`: the states and limits of tenants;
 * - `own`: administrators, and what nothing brings back.
 */
export type AdminRight = "read" | "readPersons" | "change" | "operate" | "own";

const RIGHTS: Readonly<Record<AdminRole, readonly AdminRight[]>> = {
  owner: ["read", "readPersons", "change", "operate", "own"],
  operator: ["read", "readPersons", "change", "operate"],
  support: ["read"],
  "tenant-admin": ["read", "readPersons", "change"],
};

/** The roles that have a right. */
export function rolesWith(right: AdminRight): readonly AdminRole[] {
  return ADMIN_ROLES.filter((role) => RIGHTS[role].includes(right));
}

/**
 * Tells whether an administrator has a right.
 * @param tenant the tenant that it is asked for; null where it is about all of them
 */
export function hasRight(
  { role, tenant: own }: Pick<Administrator, "role" | "tenant">,
  right: AdminRight,
  tenant: string | null,
): boolean {
  return RIGHTS[role].includes(right) && (role !== "tenant-admin" || (tenant !== null && tenant === own));
}

const TENANT_SCOPE = "admin:tenant:";

/**
 * The scope of a role.
 * @param tenant the tenant of a `tenant-admin`, and null for every other role
 * @throws TypeError where a role and a tenant do not go together
 */
export function scopeOfRole(role: AdminRole, tenant: string | null): AdminScope {
  if ((role === "tenant-admin") !== (tenant !== null))
    throw new TypeError("A tenant-admin has one tenant, and no other role has any");
  switch (role) {
    case "owner":
      return "admin";
    case "operator":
    case "support":
      return `admin:${role}`;
    case "tenant-admin":
      return `${TENANT_SCOPE}${tenant ?? ""}`;
  }
}

/** The role that scopes give, and its tenant: the first that is a role; null where none is. */
export function roleOfScopes(scopes: Iterable<string>): Pick<Administrator, "role" | "tenant"> | null {
  for (const scope of scopes) {
    if (scope === "admin") return { role: "owner", tenant: null };
    if (scope === "admin:operator") return { role: "operator", tenant: null };
    if (scope === "admin:support") return { role: "support", tenant: null };
    if (scope.startsWith(TENANT_SCOPE))
      return { role: "tenant-admin", tenant: scope.slice(TENANT_SCOPE.length) };
  }
  return null;
}

/** The administrator that a principal is; null where it is none. */
export function administratorOf(principal: Principal): Administrator | null {
  const role = principal.tenant === ADMIN_TENANT ? roleOfScopes(principal.scopes) : null;
  if (role === null) return null;
  const { credential = "", name } = principal;
  return { credential, name: name ?? credential, ...role };
}
