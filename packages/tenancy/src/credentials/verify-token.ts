/**
 * Verifying tokens.
 * @module
 */
import { type ForeignHashes, settleForeign } from "./foreign-token.ts";
import type { StoredToken, TokenStore } from "./port.ts";
import { equalInConstantTime, type TokenHasher } from "./token-hash.ts";
import { tenantOfToken } from "./token-text.ts";

/** What verifying needs from outside. */
export interface TokenVerification {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Verifies hashes that were made elsewhere. Default: tokens that were imported are not good. */
  readonly foreign?: ForeignHashes | undefined;
}

/** Longest token that is looked at, in characters: what was made elsewhere has a form of its own. */
const LONGEST_TOKEN = 4096;

/** Where a text was sent to, and from. */
export interface SentToken {
  /** The tenant that the address of the request names, or null. */
  readonly tenant: string | null;
  /** The address of the client; null where it is unknown. */
  readonly address: string | null;
}

/**
 * Finds the stored token of a text; null where the text is malformed, unknown, revoked or expired.
 * A malformed text never reaches the store. A text that names no tenant is looked for in that of the request, since a search
 * over all tenants is none that a store offers.
 */
export async function verifyToken(
  text: string,
  verification: TokenVerification,
  { tenant, address }: SentToken = { tenant: null, address: null },
): Promise<StoredToken | null> {
  const { foreign, store, hasher, now } = verification;
  const named = tenantOfToken(text);
  const where = named ?? (foreign === undefined ? null : tenant);
  if (where === null || text.length > LONGEST_TOKEN) return null;
  const look = async (): Promise<StoredToken | null> =>
    unlessExpired(await findKeyed(text, where, verification), verification);
  const found = await look();
  // One that has ended may have been imported again.
  if (found !== null || named !== null || foreign === undefined) return found;
  const isSettled = async (): Promise<boolean> => (await look()) !== null;
  const sent = { text, tenant: where, address: address ?? "" };
  await settleForeign(sent, { store, hasher, foreign, now, isSettled });
  // Of requests that come at once, one gives the token our hash, maybe just before the others look for one that was made
  // elsewhere. What was revoked meanwhile is not found.
  return look();
}

/** The token of a text by our hash. */
async function findKeyed(
  text: string,
  tenant: string,
  { store, hasher }: TokenVerification,
): Promise<StoredToken | null> {
  const candidates = hasher.candidates(text);
  const found = await store.findTokens(
    tenant,
    candidates.map((candidate) => candidate.hash),
  );
  const keyed = found.find(
    (stored) =>
      stored.scheme === "keyed" &&
      candidates.some(
        (candidate) => candidate.keyId === stored.keyId && equalInConstantTime(candidate.hash, stored.hash),
      ),
  );
  return keyed ?? null;
}

function unlessExpired(token: StoredToken | null, { now }: TokenVerification): StoredToken | null {
  return token === null || isExpired(token, now()) ? null : token;
}

/** Whether a token is over. */
export function isExpired(token: Pick<StoredToken, "expires">, now: number): boolean {
  return token.expires !== null && Date.parse(token.expires) <= now;
}
