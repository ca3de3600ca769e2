/**
 * Roles of administrators as flags give them.
 * @module
 */
import type { AdminScope } from "@scim/core";
import { ADMIN_ROLES, type Administrator, scopeOfRole } from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * The role of `--role`: `operator`, or `tenant-admin:acme`.
 * @throws CommandFailure
 */
export function roleFlag(text: string): Pick<Administrator, "role" | "tenant"> {
  const [name, tenant = null, ...more] = text.split(":");
  const role = ADMIN_ROLES.find((known) => known === name);
  const isWhole = tenant !== "" && more.length === 0;
  if (role !== undefined && isWhole && (role === "tenant-admin") === (tenant !== null))
    return { role, tenant };
  throw new CommandFailure(EXIT.usage, "A role is owner, operator, support or tenant-admin:TENANT.");
}

/**
 * The scope of `--role`.
 * @throws CommandFailure
 */
export function roleScope(text: string): AdminScope {
  const { role, tenant } = roleFlag(text);
  return scopeOfRole(role, tenant);
}
