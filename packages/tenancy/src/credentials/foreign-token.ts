/**
 * Tokens that were made elsewhere and imported by their hash. The first use puts a hash of the service in its place.
 * @module
 */
import { isRecent } from "@scim/core";
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
   * was. Whoever sends from one address should not keep others waiting. A text that takes longer than five seconds gives its
   * turn back, and asks for another. Default: at once.
   */
  readonly turn?: ((address: string) => Promise<() => void>) | undefined;
  /**
   * Reads what was sealed when the token was imported; null where it cannot be read. It is asked for each token of a tenant
   * with each text that is none: what takes time should be remembered.
   */
  open(sealed: string): string | null;
}

interface Search {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  readonly foreign: ForeignHashes;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Whether the text has our hash by now. */
  readonly isSettled: () => Promise<boolean>;
}

/** A text, the tenant that its address names, and where it was sent from. */
interface Sent {
  readonly text: string;
  readonly tenant: string;
  readonly address: string;
}

/**
 * Gives the imported token of a text our hash, where a tenant has one that was not used yet. A text that is none costs one hash,
 * one more for each key of HMACs, and the turns of bcrypt.
 */
export async function settleForeign(sent: Sent, search: Search): Promise<void> {
  if (await settlePlain(sent, search)) return;
  const findImported = (): Promise<readonly StoredToken[]> =>
    search.store.findForeignTokens(sent.tenant, presentOf(search));
  const imported = await findImported();
  // The quick ones first: where one of them is found, no bcrypt is tried.
  if (await settleKeyed(imported, sent, search)) return;
  if (!imported.some(isSlow) || new TextEncoder().encode(sent.text).length > BCRYPT_BYTES) return;
  const tried = new Set<string>();
  let isOver = false;
  while (!isOver) {
    const end = await search.foreign.turn?.(sent.address);
    try {
      // While this one waited, another request with the same text may have had its turn.
      if (await search.isSettled()) return;
      const left = (await findImported()).filter((token) => isSlow(token) && !tried.has(token.id));
      isOver = await settleSlow(left, { sent, tried }, search);
    } finally {
      end?.();
    }
  }
}

/**
 * Milliseconds for which a text is compared in one turn, about: what a tenant may have of hashes that are dear is no reason for others
 * to wait for all of them.
 */
const TURN_MS = 5000;

/**
 * Bytes of a text that bcrypt looks at. A longer one is compared with no hash: it would stand for whatever begins alike, such as any
 * JWT of one issuer, and take the place of the token that was meant.
 */
const BCRYPT_BYTES = 72;

/** The present, UTC with milliseconds. */
function presentOf({ now }: Pick<Search, "now">): string {
  return new Date(now()).toISOString();
}

/** Gives an imported token our hash of its text. */
function rehash(token: StoredToken, text: string, search: Search): Promise<void> {
  return search.store.rehashToken(token, search.hasher.sign(text), presentOf(search));
}

function isSlow({ scheme }: StoredToken): boolean {
  return scheme === "bcrypt";
}

/** A plain hash is looked up as one of the service is. Each resolves to whether the text is that of a token. */
async function settlePlain({ text, tenant }: Sent, search: Search): Promise<boolean> {
  const hash = search.foreign.sha256(text);
  const found = await search.store.findTokens(tenant, [hash]);
  const token = found.find(
    ({ scheme, hash: stored }) => scheme === "sha256" && equalInConstantTime(hash, stored),
  );
  if (token === undefined) return false;
  await rehash(token, text, search);
  return true;
}

/** Tokens that were imported together mostly have one key. */
async function settleKeyed(
  imported: readonly StoredToken[],
  { text }: Sent,
  search: Search,
): Promise<boolean> {
  const { foreign } = search;
  const hashes = new Map<string, string>();
  const hashBy = (key: string): string => {
    const hash = hashes.get(key) ?? foreign.hmacSha256(key, text);
    hashes.set(key, hash);
    return hash;
  };
  for (const token of imported) {
    const key =
      token.scheme !== "hmac-sha256" || token.sealedKey === null ? null : foreign.open(token.sealedKey);
    if (key === null || !equalInConstantTime(hashBy(key), token.hash)) continue;
    await rehash(token, text, search);
    return true;
  }
  return false;
}

/** Compares a text with hashes until its turn is over, one at least. Resolves to whether nothing is left to compare it with. */
async function settleSlow(
  imported: readonly StoredToken[],
  { sent: { text }, tried }: { readonly sent: Sent; readonly tried: Set<string> },
  search: Search,
): Promise<boolean> {
  const began = search.now();
  for (const [at, token] of imported.entries()) {
    if (at > 0 && !isRecent(began, { now: search.now(), within: TURN_MS })) return false;
    tried.add(token.id);
    if (!(await search.foreign.bcrypt(text, token.hash))) continue;
    await rehash(token, text, search);
    return true;
  }
  return true;
}
