/**
 * Keys, and what is made with them. An application keeps them as it keeps its other secrets.
 * @module
 */
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from "node:crypto";
import type { SecretSeal } from "@scim/events";
import { createTokenHasher, type SecretKey } from "@scim/tenancy";

const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/** The first signs, all verify: another is put in front, and this one stays until nothing needs it. */
export const keys: readonly SecretKey[] = [{ id: "2027-01", secret: randomBytes(32) }];

/** What `@scim/events` signs and hashes with. */
export const digests = {
  keys,
  hmac: (secret: Uint8Array, text: string): string =>
    createHmac("sha256", secret).update(text).digest("base64url"),
  digest: (text: string): string => hash("sha256", text, "base64url"),
};

/** What tokens are hashed with. */
export const hasher = createTokenHasher(keys, (secret, text) =>
  createHmac("sha256", secret).update(text).digest(),
);

const sealKey = randomBytes(32);

/** Makes secrets of receivers, and private keys, unreadable in the database. */
export const seal: SecretSeal = {
  seal: (text) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
  },
  open: (sealed) => {
    const bytes = Buffer.from(sealed, "base64url");
    const nonce = bytes.subarray(0, NONCE_BYTES);
    try {
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8");
      return text + decipher.final("utf8");
    } catch {
      return null;
    }
  },
};
