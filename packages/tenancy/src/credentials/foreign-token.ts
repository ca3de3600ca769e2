/**
 * Tokens that were made elsewhere and imported by their hash. The first use puts a hash of the service in its place.
 * @module
 */
import type { StoredToken, TokenStore } from "./port.ts";
import { equalInConstantTime, type TokenHasher } from "./token-hash.ts";

/** The hashes of tokens that were made elsewhere. */
export interface ForeignHashes {
  /** SHA-256 as hexadecimal digits in lower case. */
  sha256(text: string): string;
  /** HMAC-SHA-256 as hexadecimal digits in lower case. */
  hmacSha256(key: string, text: string): string;
  /** Whether a bcrypt hash is that of a text. It takes a tenth of a second or so. */
  bcrypt(text: string, hash: string): Promise<boolean>;
  /**
   * Asked before a text is compared with the bcrypt hashes of a tenant: resolves when it may be, to what is called once it
   * was. Whoever sends from one address should not keep others waiting. Default: at once.
   */
  readonly turn?: ((address: string) => Promise<() => void>) | undefined;
  /** Reads what was sealed when the token was imported; null where it cannot be read. */
  open(sealed: string): string | null;
}

interface Search {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  readonly foreign: ForeignHashes;
  /** Whether the text has our hash by now. */
  readonly isSettled: () => Promise<boolean>;
}

/** A text, the tenant that its address names, and where it was sent from. */
interface Sent {
  readonly text: string;
  readonly tenant: string;
  readonly address: string;
}

/** Gives the imported token of a text our hash, where a tenant has one that was not used yet. */
export async function settleForeign(sent: Sent, search: Search): Promise<void> {
  const imported = await search.store.findForeignTokens(sent.tenant);
  const isSlow = ({ scheme }: StoredToken): boolean => scheme === "bcrypt";
  // The quick ones first: where one of them is found, no bcrypt is tried.
  const isQuick = await settleOneOf(
    imported.filter((token) => !isSlow(token)),
    sent,
    search,
  );
  if (isQuick || !imported.some(isSlow)) return;
  const end = await search.foreign.turn?.(sent.address);
  try {
    // While this one waited, another request with the same text may have had its turn.
    if (await search.isSettled()) return;
    await settleOneOf((await search.store.findForeignTokens(sent.tenant)).filter(isSlow), sent, search);
  } finally {
    end?.();
  }
}

/** Resolves to whether the text is that of one of them. */
async function settleOneOf(
  imported: readonly StoredToken[],
  { text }: Sent,
  { store, hasher, foreign }: Search,
): Promise<boolean> {
  for (const token of imported) {
    if (!(await isOf(text, token, foreign))) continue;
    await store.rehashToken(token, hasher.sign(text));
    return true;
  }
  return false;
}

async function isOf(text: string, token: StoredToken, foreign: ForeignHashes): Promise<boolean> {
  switch (token.scheme) {
    case "sha256":
      return equalInConstantTime(foreign.sha256(text), token.hash);
    case "hmac-sha256": {
      const key = token.sealedKey === null ? null : foreign.open(token.sealedKey);
      return key !== null && equalInConstantTime(foreign.hmacSha256(key, text), token.hash);
    }
    case "bcrypt":
      return foreign.bcrypt(text, token.hash);
    case "keyed":
      return false;
  }
}
