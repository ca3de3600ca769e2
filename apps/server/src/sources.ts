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

/** What makes ids, each greater than those before. */
export interface OrderedIds {
  /** Makes one, at an instant in milliseconds. */
  readonly next: (now: number) => string;
  /** Makes what makes so many as are made at an instant, whenever they are made, and others behind them. */
  readonly reserve: (now: number, count: number) => (now: number) => string;
}

/**
 * Makes what makes UUIDv7 (RFC 9562 §5.7): milliseconds first, then a count, so that each is greater than the one before
 * also within a millisecond and where the clock went back (§6.2, method 1); the rest is random. Indexes are filled in
 * their order then, page by page.
 */
export function orderedIds(): OrderedIds {
  let last: Place = { millisecond: 0, count: 0 };
  const following = (now: number): Place =>
    now > last.millisecond ? { millisecond: now, count: 0 } : behind(last, 1);
  const next = (now: number): string => {
    last = following(now);
    return idAt(last);
  };
  return {
    next,
    reserve: (now, count) => {
      const first = following(now);
      last = behind(first, count - 1);
      let made = 0;
      return (later) => {
        if (made === count) return next(later);
        made += 1;
        return idAt(behind(first, made - 1));
      };
    },
  };
}

/** Where an id stands among others. */
interface Place {
  readonly millisecond: number;
  readonly count: number;
}

function behind({ millisecond, count }: Place, more: number): Place {
  const counted = count + more;
  return { millisecond: millisecond + Math.floor(counted / COUNTED), count: counted % COUNTED };
}

let lastPrefix = { millisecond: 0, text: prefixOf(0) };

function idAt({ millisecond, count }: Place): string {
  if (millisecond !== lastPrefix.millisecond) lastPrefix = { millisecond, text: prefixOf(millisecond) };
  // The random UUID has its variant, and its random part, where version 7 has them.
  return `${lastPrefix.text}${count.toString(16).padStart(3, "0")}${randomUUID().slice(18)}`;
}

/** The part of an id that ids of the same millisecond share. */
function prefixOf(millisecond: number): string {
  const time = millisecond.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

const resourceIds = orderedIds();

/** A new id, greater than those that this process made before. */
export function newResourceId(): string {
  return resourceIds.next(Date.now());
}

function reserveResourceIds(count: number): () => string {
  const make = resourceIds.reserve(Date.now(), count);
  return () => make(Date.now());
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
  reserveIds: reserveResourceIds,
  newNonce,
  digest: (text: string) => hash("sha256", text, "base64url"),
};

/** The present, UTC with milliseconds. */
export function instantNow(): string {
  return new Date().toISOString();
}
