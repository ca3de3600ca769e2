/**
 * Public keys of a set (RFC 7517 §5), as far as signatures are checked by them. Whoever enters an address decides what stands there,
 * and sets are kept: what nobody asks for would fill the memory that all tenants share.
 * @module
 */
import type { JSONWebKeySet, JWK } from "jose";

/** Keys of a set at most. */
const MOST_KEYS = 100;
/** What a key says of itself, and what it is made of (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2): texts. */
const TEXTS = ["use", "alg", "n", "e", "crv", "x", "y"] as const;
/** Uses of a key that are looked at: RFC 7517 §4.3 has eight. */
const MOST_USES = 8;
/**
 * Longest numbers of an RSA key (RFC 7518 §6.3.1): a modulus of 8192 bits and an exponent of 32, most have 65537. What is longer takes
 * hundreds of times as long to check a signature by.
 */
const LONGEST: Readonly<Record<string, number>> = { n: 1368, e: 6 };
/** What a key takes beside its texts, in characters: a key that was used is kept ready. */
const KEY_WEIGHT = 4096;

/**
 * The public keys of a document; null where it is no set, or has too many. Of what is no key the others are kept: RFC 7517 §5. A
 * private key, which whoever reads it could sign by, is none.
 */
export function publicKeysOf(document: unknown): JSONWebKeySet | null {
  if (typeof document !== "object" || document === null || !("keys" in document)) return null;
  const { keys } = document;
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) return null;
  return { keys: keys.map(publicKeyOf).filter((key) => key !== null) };
}

/** What a set takes, in characters, about. */
export function weightOf({ keys }: JSONWebKeySet): number {
  return keys.reduce((sum, key) => sum + KEY_WEIGHT + JSON.stringify(key).length, 0);
}

/** The public part of a key; null for what is none. One whose members have another form could be used for what it is not meant. */
function publicKeyOf(value: unknown): JWK | null {
  const members = new Map<string, unknown>(
    typeof value === "object" && value !== null ? Object.entries(value) : [],
  );
  const [type, name, uses] = ["kty", "kid", "key_ops"].map((member) => members.get(member));
  if (typeof type !== "string" || members.has("d")) return null;
  const key: Record<string, string | string[]> = {};
  for (const text of TEXTS) {
    const given = members.get(text);
    if (given === undefined) continue;
    if (typeof given !== "string" || given.length > (LONGEST[text] ?? given.length)) return null;
    key[text] = given;
  }
  if (uses !== undefined) {
    if (!Array.isArray(uses) || uses.length > MOST_USES) return null;
    if (!uses.every((use) => typeof use === "string")) return null;
    key["key_ops"] = uses;
  }
  // No JWT can name a key by anything else; one that names none may be signed by it.
  if (typeof name === "string") key["kid"] = name;
  return { ...key, kty: type };
}
