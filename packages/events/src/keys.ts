/**
 * Keyed digests with an ordered list of keys: the first makes them, all verify, so that keys can be changed while in
 * use.
 * @module
 */

/** A secret key, as every part of a service has it. */
export interface DigestKey {
  /** Names the key beside what it made; not secret. */
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: Uint8Array;
}

/** HMAC-SHA-256 of a text under a key (RFC 2104), as base64url: 43 characters. */
export type KeyedDigest = (secret: Uint8Array, text: string) => string;

/** SHA-256 of a text, as base64url: 43 characters. */
export type TextDigest = (text: string) => string;

/** What the audit log needs from outside. */
export interface AuditKeys {
  /** The first makes hashes and signatures; all verify. */
  readonly keys: readonly DigestKey[];
  readonly hmac: KeyedDigest;
  readonly digest: TextDigest;
}

/**
 * The key that makes what is new.
 * @throws TypeError where there is none
 */
export function signingKey({ keys }: Pick<AuditKeys, "keys">): DigestKey {
  const [first] = keys;
  if (first === undefined) throw new TypeError("The audit log needs at least one key.");
  return first;
}
