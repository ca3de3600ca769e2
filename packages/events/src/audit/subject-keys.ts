/**
 * What makes the hashes of values of a resource: a secret of its own, which a store keeps and an erasure destroys.
 * Without it nobody can tell any more what was hashed, not even who has the keys of the service and guesses; and the
 * entries stay as they are, so that their chain holds.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { type AuditKeys, signingKey, type TextDigest } from "../keys.ts";

/** The secret of each resource of a tenant. */
export type SecretOf = (type: string, id: string) => string;

/**
 * Hash of a personal value, of the attribute's path and the canonical JSON of the value: base64url.
 * @param node the attribute, as far as it is known
 */
export type HashValue = (path: string, json: string, node?: AttributeNode) => string;

/** Characters of a hash that are kept: 132 bits. */
const HASH_CHARACTERS = 22;

/**
 * What the values of a service are hashed with, beside the secrets of resources.
 * @throws TypeError where there is no key
 */
export function valuesKey(keys: Pick<AuditKeys, "keys" | "hmac">): string {
  return keys.hmac(signingKey(keys).secret, "audit values");
}

/**
 * Makes what hashes values under a secret of a resource and a key of the service: from a stolen database alone nothing
 * can be guessed. A plain digest of a text that begins with both does: each has one length, and of the digest only
 * half is shown, so that nobody can go on where it ended. An HMAC for each value would cost writers more than all the
 * rest of the log.
 * @param key see `valuesKey`
 */
export function valueHasher(key: string, digest: TextDigest): (secret: string) => HashValue {
  return (secret) => {
    const beginning = `${key}${secret}\n`;
    return (path, json) => digest(`${beginning}${path}\n${json}`).slice(0, HASH_CHARACTERS);
  };
}
