/**
 * Tokens and secrets of OAuth clients that end soon, so that somebody makes new ones in time.
 * @module
 */
import type { TenantStore } from "../tenants/tenant.ts";
import type { ClientStore } from "../oauth/client-store.ts";
import type { StoredToken, TokenStore } from "./port.ts";
import { ADMIN_TENANT } from "./token-text.ts";

/** How long before its end a credential is told of: 30 days, in milliseconds. */
export const EXPIRY_NOTICE_MS = 2_592_000_000;

/** What the search needs. */
export interface ExpirySearch {
  readonly tenants: Pick<TenantStore, "list">;
  readonly tokens: Pick<TokenStore, "listTokens">;
  readonly clients: Pick<ClientStore, "listClients" | "listSecrets">;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  /** Default {@link EXPIRY_NOTICE_MS}. */
  readonly notice?: number;
}

/** A token, or the secret of an OAuth client, that ends soon. */
export interface ExpiringCredential {
  readonly kind: "token" | "secret";
  readonly tenant: string;
  readonly connection: string;
  readonly id: string;
  /** The client that a secret is of; null for a token. */
  readonly client: string | null;
  readonly expires: string | null;
}

/** Tenants that are read at once. */
const PAGE = 200;

/**
 * The credentials that are good now and end soon: those of administrators first, then tenant by tenant. Tenants that
 * are not active are left out, since what they have is refused anyway.
 *
 * @example
 * const search = { tenants, tokens, clients, now: Date.now() };
 * for await (const { tenant, id, expires } of expiringCredentials(search)) warn(tenant, id, expires);
 */
export async function* expiringCredentials(
  search: ExpirySearch,
): AsyncGenerator<ExpiringCredential, void, undefined> {
  for await (const tenant of activeTenants(search.tenants)) yield* expiringOf(tenant, search);
}

/** Those of one tenant. */
export async function* expiringOf(
  tenant: string,
  search: Omit<ExpirySearch, "tenants">,
): AsyncGenerator<ExpiringCredential, void, undefined> {
  for (const token of await search.tokens.listTokens(tenant)) {
    const { connection, id, expires } = token;
    if (isExpiring(token, search)) yield { kind: "token", tenant, connection, id, client: null, expires };
  }
  for (const { id: client, connection } of await search.clients.listClients(tenant, null)) {
    for (const { id, expires } of await search.clients.listSecrets({ tenant, id: client })) {
      if (isExpiring({ expires, revoked: null }, search))
        yield { kind: "secret", tenant, connection, id, client, expires };
    }
  }
}

async function* activeTenants(tenants: ExpirySearch["tenants"]): AsyncGenerator<string, void, undefined> {
  yield ADMIN_TENANT;
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<TenantStore["list"]>> = await tenants.list({ after, count: PAGE });
    for (const { tenant, state } of page) if (state === "active") yield tenant;
    if (page.length < PAGE) return;
    after = page.at(-1)?.tenant ?? null;
  }
}

/** Whether a credential is good, and ends soon. */
function isExpiring(
  { expires, revoked }: Pick<StoredToken, "expires" | "revoked">,
  { now, notice = EXPIRY_NOTICE_MS }: Pick<ExpirySearch, "now" | "notice">,
): boolean {
  if (expires === null || revoked !== null) return false;
  const left = Date.parse(expires) - now;
  return left > 0 && left <= notice;
}
