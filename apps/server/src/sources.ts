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

let lastPrefix = { now: 0, text: prefixOf(0) };

/** A UUIDv7 (RFC 9562 §5.7): milliseconds first, so that ids grow with time; the rest is random. */
export function newResourceId(now: number = Date.now()): string {
  if (now !== lastPrefix.now) lastPrefix = { now, text: prefixOf(now) };
  // The random UUID has its variant, and its random part, where version 7 has them.
  return lastPrefix.text + randomUUID().slice(15);
}

/** The part of an id that ids of the same millisecond share. */
function prefixOf(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/** Texts that are drawn at once: asking for random bytes costs more than the bytes. */
const DRAWN = 512;
const NONCE_BYTES = 5;
const SECRET_BYTES = 16;

/** Makes what draws texts of so many random bytes, as base64url. */
function drawing(bytes: number): () => string {
  let drawn = Buffer.alloc(0);
  return () => {
    if (drawn.length < bytes) drawn = randomBytes(DRAWN * bytes);
    const text = drawn.toString("base64url", 0, bytes);
    drawn = drawn.subarray(bytes);
    return text;
  };
}

const newNonce = drawing(NONCE_BYTES);

/** A secret of 128 random bits. */
export const newSecret = drawing(SECRET_BYTES);

/** What `createScimService` takes. */
export const SOURCES = {
  now: () => Date.now(),
  newId: () => newResourceId(),
  newNonce,
  digest: (text: string) => hash("sha256", text, "base64url"),
};

/** The present, UTC with milliseconds. */
export function instantNow(): string {
  return new Date().toISOString();
}
