/**
 * Cursors that show nothing and cannot be forged (RFC 9865 §5.2): AES-256-GCM under keys derived from the secret keys.
 * @module
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { CursorSeal } from "@scim/core";
import type { SecretKey } from "@scim/tenancy";

const ALGORITHM = "aes-256-gcm";
const SALT_BYTES = 24;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** Keeps these keys apart from other uses of the same secrets. */
const PURPOSE = "cursor";

/**
 * Makes a seal of ordered keys: the first seals, all open, so that keys can be changed while in use.
 * @throws TypeError where there is no key
 */
export function createCursorSeal(keys: readonly SecretKey[]): CursorSeal {
  const [first] = keys;
  if (first === undefined) throw new TypeError("A seal needs at least one key.");
  return {
    seal: (text) => encrypt(first, text).toString("base64url"),
    open: (cursor) => {
      const bytes = Buffer.from(cursor, "base64url");
      // Other spellings of the same bytes are not what was given out.
      if (bytes.length < SALT_BYTES + TAG_BYTES || bytes.toString("base64url") !== cursor) return null;
      for (const key of keys) {
        const text = decrypt(key, bytes);
        if (text !== null) return text;
      }
      return null;
    },
  };
}

interface CursorKey {
  readonly key: Buffer;
  readonly nonce: Buffer;
}

/** Each cursor has a key of its own, so that no number of them wears a key out. */
function deriveKey({ secret }: SecretKey, salt: Uint8Array): CursorKey {
  const derived = Buffer.from(hkdfSync("sha256", secret, salt, PURPOSE, KEY_BYTES + NONCE_BYTES));
  return { key: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
}

function encrypt(secretKey: SecretKey, text: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const { key, nonce } = deriveKey(secretKey, salt);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([salt, sealed, cipher.getAuthTag()]);
}

function decrypt(secretKey: SecretKey, bytes: Buffer): string | null {
  const { key, nonce } = deriveKey(secretKey, bytes.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
