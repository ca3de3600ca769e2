/**
 * The sources of time, identity and hashes that the rules are given.
 * @module
 */
import { createHmac, hash, randomBytes, randomUUID } from "node:crypto";
import type { AuditKeys, DigestKey } from "@scim/events";
import type { Hmac } from "@scim/tenancy";

/** HMAC-SHA-256. */
export const hmacSha256: Hmac = (secret, text) => createHmac("sha256", secret).update(text).digest();

/** What the audit log is made with, of the ordered secret keys. */
export function auditKeys(keys: readonly DigestKey[]): AuditKeys {
  return {
    keys,
    hmac: (secret, text) => createHmac("sha256", secret).update(text).digest("base64url"),
    digest: (text) => hash("sha256", text, "base64url"),
  };
}

/** Ids of one millisecond that can be told to be one after the other. */
const COUNTED = 0x1000;

/**
 * Makes what makes UUIDv7 (RFC 9562 §5.7): milliseconds first, then a count, so that each is greater than the one before
 * also within a millisecond and where the clock went back (§6.2, method 1); the rest is random. Indexes are filled in
 * their order then, page by page.
 */
export function orderedIds(): (now: number) => string {
  let last = 0;
  let prefix = prefixOf(last);
  let count = 0;
  return (now) => {
    count += 1;
    if (now > last || count === COUNTED) {
      last = Math.max(now, last + 1);
      prefix = prefixOf(last);
      count = 0;
    }
    // The random UUID has its variant, and its random part, where version 7 has them.
    return `${prefix}${count.toString(16).padStart(3, "0")}${randomUUID().slice(18)}`;
  };
}

/** The part of an id that ids of the same millisecond share. */
function prefixOf(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

const nextId = orderedIds();

/** A new id, greater than those that this process made before. */
export function newResourceId(): string {
  return nextId(Date.now());
}

/** Texts that are drawn at once: asking for random bytes costs more than the bytes. */
const DRAWN = 512;
const NONCE_BYTES = 5;
const SECRET_BYTES = 16;

/** Makes what draws texts of so many random bytes, as base64url. */
function drawing(bytes: number): () => string {
  let drawn = Buffer.alloc(0);
  let next = 0;
  return () => {
    if (next === drawn.length) {
      drawn = randomBytes(DRAWN * bytes);
      next = 0;
    }
    next += bytes;
    return drawn.toString("base64url", next - bytes, next);
  };
}

const newNonce = drawing(NONCE_BYTES);

/** A secret of 128 random bits. */
export const newSecret = drawing(SECRET_BYTES);

/** What `createScimService` takes. */
export const SOURCES = {
  now: () => Date.now(),
  newId: newResourceId,
  newNonce,
  digest: (text: string) => hash("sha256", text, "base64url"),
};

/** The present, UTC with milliseconds. */
export function instantNow(): string {
  return new Date().toISOString();
}
