/**
 * Tokens that end soon, so that somebody makes new ones in time.
 * @module
 */
import type { TenantStore } from "../tenants/tenant.ts";
import type { StoredToken, TokenStore } from "./port.ts";
import { ADMIN_TENANT } from "./token-text.ts";

/** How long before its end a token is told of: 30 days, in milliseconds. */
export const EXPIRY_NOTICE_MS = 2_592_000_000;

/** What the search needs. */
export interface ExpirySearch {
  readonly tenants: Pick<TenantStore, "list">;
  readonly tokens: Pick<TokenStore, "listTokens">;
  /** The present, in milliseconds since 1970. */
  readonly now: number;
  /** Default {@link EXPIRY_NOTICE_MS}. */
  readonly notice?: number;
}

/** Tenants that are read at once. */
const PAGE = 200;

/**
 * The tokens that are good now and end soon: those of administrators first, then tenant by tenant. Tenants that are
 * not active are left out, since their tokens are refused anyway.
 *
 * @example
 * for await (const { tenant, id, expires } of expiringTokens({ tenants, tokens, now: Date.now() })) warn(tenant, id, expires);
 */
export async function* expiringTokens(search: ExpirySearch): AsyncGenerator<StoredToken, void, undefined> {
  for await (const tenant of activeTenants(search.tenants)) {
    for (const token of await search.tokens.listTokens(tenant)) if (isExpiring(token, search)) yield token;
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

/** Whether a token is good, and ends soon. */
export function isExpiring(
  { expires, revoked }: Pick<StoredToken, "expires" | "revoked">,
  { now, notice = EXPIRY_NOTICE_MS }: Pick<ExpirySearch, "now" | "notice">,
): boolean {
  if (expires === null || revoked !== null) return false;
  const left = Date.parse(expires) - now;
  return left > 0 && left <= notice;
}
