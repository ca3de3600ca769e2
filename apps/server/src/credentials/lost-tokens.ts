/**
 * Tokens that let nobody in for want of a secret key: theirs was lost, or a process is given other keys than those that made them.
 * @module
 */
import { isExpired, type SecretKey, type StoredToken, type TokenStore } from "@scim/tenancy";

/** Tokens of a tenant that are not over, and were made with secret keys that are not given. */
export interface LostTokens {
  readonly tenant: string;
  /** How many. */
  readonly tokens: number;
  /** Ids of the keys that are missing. */
  readonly keys: readonly string[];
}

/** The secret keys that are given. */
export type GivenKeys = readonly Pick<SecretKey, "id">[];

/** Looks for such tokens of a tenant; null where there are none. */
export async function findLost(
  tenant: string,
  { tokens, keys }: { readonly tokens: Pick<TokenStore, "listTokens">; readonly keys: GivenKeys },
): Promise<LostTokens | null> {
  const stored = await tokens.listTokens(tenant);
  const lost = stored.filter((token) => isNotOver(token) && isLost(token, keys));
  if (lost.length === 0) return null;
  return { tenant, tokens: lost.length, keys: [...new Set(lost.map(({ keyId }) => keyId))] };
}

/** Whether a token was neither revoked, nor has ended. */
export function isNotOver(token: StoredToken): boolean {
  return token.revoked === null && !isExpired(token, Date.now());
}

/** Whether no key that is given made the hash of a token. One that was made elsewhere, and is not used yet, has none of ours. */
export function isLost({ scheme, keyId }: StoredToken, keys: GivenKeys): boolean {
  return scheme === "keyed" && keys.every(({ id }) => id !== keyId);
}
