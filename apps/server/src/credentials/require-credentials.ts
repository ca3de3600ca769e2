/**
 * A server that others can reach, and that nobody can use, is a mistake: it is told at the start.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, type AdminIssuer, isExpired, type StoredToken } from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";
import { isLoopback } from "../http/exposure.ts";
import type { Settings } from "../settings/table.ts";
import { eachTenant } from "../store/each-tenant.ts";

/** What is looked through. */
type Holders = Pick<Store, "tokens" | "clients" | "admins" | "tenants">;

/**
 * Checks that a server that others can reach has credentials set: a token that is good, a client or an administrator of any tenant.
 * @throws CommandFailure with how to make one
 */
export async function requireCredentials({ host }: Pick<Settings, "host">, store: Holders): Promise<void> {
  if (isLoopback(host) || (await hasCredentials(store))) return;
  throw new CommandFailure(
    EXIT.failed,
    `Nobody could use this server, which would listen on ${host}, where others can reach it: its database holds no token that is good, ` +
      "no client and no administrator. Make a token with 'scim token create --tenant admin --name NAME', or give one as SCIM_ADMIN_TOKEN.",
  );
}

async function hasCredentials(store: Holders): Promise<boolean> {
  if (await hasTokens(ADMIN_TENANT, store)) return true;
  if ((await store.admins.listIdentities()).length > 0) return true;
  if ((await store.admins.listIssuers()).some(givesRoles)) return true;
  for await (const tenant of eachTenant(store)) if (await hasTokens(tenant, store)) return true;
  return false;
}

/** Whether whoever is in a group of an issuer is an administrator. */
function givesRoles({ state, groups }: AdminIssuer): boolean {
  return state === "active" && groups !== null;
}

/** Tokens, or clients, which get tokens by a secret or by the JWT of an issuer. */
async function hasTokens(tenant: string, { tokens, clients }: Holders): Promise<boolean> {
  const now = Date.now();
  const isGood = (token: StoredToken): boolean => token.revoked === null && !isExpired(token, now);
  if ((await tokens.listTokens(tenant)).some(isGood)) return true;
  return (await clients.listClients(tenant, null)).length > 0;
}
