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

/** A UUIDv7 (RFC 9562 §5.7): milliseconds first, so that ids grow with time; the rest is random. */
export function newResourceId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, "0");
  // The random UUID has its variant, and its random part, where version 7 has them.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Nonces that are drawn at once: asking for random bytes costs more than the bytes. */
const DRAWN = 512;
const NONCE_BYTES = 5;

let drawn = Buffer.alloc(0);

function newNonce(): string {
  if (drawn.length < NONCE_BYTES) drawn = randomBytes(DRAWN * NONCE_BYTES);
  const nonce = drawn.toString("base64url", 0, NONCE_BYTES);
  drawn = drawn.subarray(NONCE_BYTES);
  return nonce;
}

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
