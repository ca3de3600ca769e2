/**
 * Verifying tokens, and the authenticator made of it.
 * @module
 */
import type { Authenticator, Principal, Profile } from "@scim/core";
import type { StoredToken, TokenStore } from "./port.ts";
import { equalInConstantTime, type TokenHasher } from "./token-hash.ts";
import { tenantOfToken } from "./token-text.ts";

/** What verifying needs from outside. */
export interface TokenVerification {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Finds the stored token of a text; null where the text is malformed, unknown, revoked or expired.
 * A malformed text never reaches the store.
 */
export async function verifyToken(
  text: string,
  verification: TokenVerification,
): Promise<StoredToken | null> {
  const tenant = tenantOfToken(text);
  if (tenant === null) return null;
  const candidates = verification.hasher.candidates(text);
  const found = await verification.store.findTokens(
    tenant,
    candidates.map((candidate) => candidate.hash),
  );
  const token = found.find((stored) =>
    candidates.some(
      (candidate) => candidate.keyId === stored.keyId && equalInConstantTime(candidate.hash, stored.hash),
    ),
  );
  return token === undefined || isExpired(token, verification.now()) ? null : token;
}

/** What an authenticator needs. */
export interface AuthenticatorOptions extends TokenVerification {
  /** The profile of a connection. */
  readonly profileOf: (tenant: string, connection: string) => Profile | Promise<Profile>;
  /** For how long a verified token is not looked up again, in milliseconds. Default 500, at most 1000. */
  readonly cacheMs?: number;
}

/** A revoked token must be refused within this time. */
const LONGEST_CACHE_MS = 1000;

interface Verified {
  readonly token: StoredToken;
  readonly principal: Principal;
}

/**
 * Makes an authenticator over a store of tokens. Verified tokens are remembered for half a second, so
 * that a client's burst costs one look-up and a revoked token is refused within one second; refused
 * ones are not remembered.
 *
 * @example
 * const authenticate = createAuthenticator({ store, hasher, now: Date.now, profileOf: () => tolerant });
 * const principal = await authenticate("scim_default_…");
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const lifetime = Math.min(options.cacheMs ?? LONGEST_CACHE_MS / 2, LONGEST_CACHE_MS);
  // All entries go together: the texts of tokens that fell out of use leave memory with the next request.
  let verified = new Map<string, Verified>();
  let since = Number.NEGATIVE_INFINITY;

  return async (text) => {
    const now = options.now();
    if (now - since >= lifetime || now < since) {
      verified = new Map();
      since = now;
    }
    const entries = verified;
    const known = entries.get(text);
    if (known !== undefined) return isExpired(known.token, now) ? null : known.principal;

    const token = await verifyToken(text, options);
    if (token === null) return null;
    const principal = await principalOf(token, options);
    entries.set(text, { token, principal });
    return principal;
  };
}

async function principalOf(token: StoredToken, options: AuthenticatorOptions): Promise<Principal> {
  return {
    tenant: token.tenant,
    connection: token.connection,
    scopes: new Set(token.scopes),
    subject: token.subject,
    profile: await options.profileOf(token.tenant, token.connection),
  };
}

function isExpired(token: StoredToken, now: number): boolean {
  return token.expires !== null && Date.parse(token.expires) <= now;
}
