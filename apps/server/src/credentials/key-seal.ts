/**
 * Seals secrets that the service must read again, such as the keys of imported token hashes: AES-256-GCM under keys
 * derived from the secret keys.
 * @module
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SecretKey } from "@scim/tenancy";

/** Makes texts unreadable, and reads them again. */
export interface KeySeal {
  readonly seal: (text: string) => string;
  /** The text; null where none of the keys made it. */
  readonly open: (sealed: string) => string | null;
}

/** What is sealed in the database, apart from each other. */
export const SEAL_PURPOSES = {
  /** Keys of tokens that were imported with an HMAC. */
  importedKey: "imported-token-key",
  /** Secrets of receivers of events, and the private keys that sign what they are sent. */
  receiver: "receiver secret",
} as const;

const ALGORITHM = "aes-256-gcm";
const SALT_BYTES = 24;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/**
 * Makes a seal of ordered keys: the first seals, all open, so that keys can be changed while in use.
 * @param purpose keeps what is sealed for it apart from other uses of the same secrets
 * @throws TypeError where there is no key
 *
 * @example
 * const seal = createKeySeal(keys, "imported-token-key");
 * seal.open(seal.seal("pepper")); // "pepper"
 */
export function createKeySeal(keys: readonly SecretKey[], purpose: string): KeySeal {
  const [first] = keys;
  if (first === undefined) throw new TypeError("A seal needs at least one key.");
  return {
    seal: (text) => encrypt(derive(first, purpose, randomBytes(SALT_BYTES)), text).toString("base64url"),
    open: (sealed) => {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < SALT_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const text = decrypt(derive(key, purpose, bytes.subarray(0, SALT_BYTES)), bytes);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

interface DerivedKey {
  readonly salt: Buffer;
  readonly key: Buffer;
  readonly nonce: Buffer;
}

/** Each text has a key of its own, so that no nonce is used twice. */
function derive({ secret }: SecretKey, purpose: string, salt: Buffer): DerivedKey {
  const derived = Buffer.from(hkdfSync("sha256", secret, salt, purpose, KEY_BYTES + NONCE_BYTES));
  return { salt, key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
}

function encrypt({ salt, key, nonce }: DerivedKey, text: string): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, sealed, cipher.getAuthTag()]);
}

function decrypt({ key, nonce }: DerivedKey, bytes: Buffer): string | null {
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
