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
  /** Reads what was sealed when the token was imported; null where it cannot be read. */
  open(sealed: string): string | null;
}

interface Search {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  readonly foreign?: ForeignHashes | undefined;
}

/** Gives the imported token of a text our hash, where a tenant has one that was not used yet. */
export async function settleForeign(
  text: string,
  tenant: string,
  { store, hasher, foreign }: Search,
): Promise<void> {
  if (foreign === undefined) return;
  const imported = await store.findForeignTokens(tenant);
  // The quick ones first: where one of them is found, no bcrypt is tried.
  const ordered = imported.toSorted((a, b) => Number(a.scheme === "bcrypt") - Number(b.scheme === "bcrypt"));
  for (const token of ordered) {
    if (await isOf(text, token, foreign)) return store.rehashToken(token, hasher.sign(text));
  }
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
