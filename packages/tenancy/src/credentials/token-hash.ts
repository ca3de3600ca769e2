/**
 * Keyed hashes of tokens: what a store keeps in place of their text.
 * @module
 */
import { encodeBase64url } from "./base64url.ts";

/** A secret key. */
export interface SecretKey {
  /** Names the key beside what it made; not secret. */
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
}

/** HMAC-SHA-256 of a text under a key; 32 bytes (RFC 2104). */
export type Hmac = (secret: Uint8Array, text: string) => Uint8Array;

/** A keyed hash and the key that made it. */
export interface KeyedHash {
  readonly keyId: string;
  /** base64url. */
  readonly hash: string;
}

/** Hashes with an ordered list of keys: the first signs, all verify, so that keys can be changed while in use. */
export interface TokenHasher {
  /** The hash to store. */
  sign(text: string): KeyedHash;
  /** The hashes under which a token may be stored, that of the newest key first. */
  candidates(text: string): readonly KeyedHash[];
}

/**
 * Makes a hasher.
 * @throws TypeError where there is no key, or one is shorter than 32 bytes
 */
export function createTokenHasher(keys: readonly SecretKey[], hmac: Hmac): TokenHasher {
  const [first] = keys;
  if (first === undefined) throw new TypeError("A token hasher needs at least one key.");
  for (const key of keys) {
    if (key.secret.length < 32) throw new TypeError(`Key '${key.id}' is shorter than 32 bytes.`);
  }
  const hashWith = (key: SecretKey, text: string): KeyedHash => ({
    keyId: key.id,
    // The prefix keeps these hashes apart from other uses of the same key.
    hash: encodeBase64url(hmac(key.secret, `token\n${text}`)),
  });
  return {
    sign: (text) => hashWith(first, text),
    candidates: (text) => keys.map((key) => hashWith(key, text)),
  };
}

/** Compares two texts in a time that depends on their lengths alone. */
export function equalInConstantTime(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
