/**
 * Versions of resources whose store keeps none: a digest of what they hold.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Sources } from "../environment.ts";
import { canonicalJson } from "./canonical-json.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Characters of 16 bytes as base64url. The last one holds two bits. */
const LENGTH = 22;
const LAST_BITS = 0b110000;

/** The first 16 bytes of the digest of the canonical JSON of a content, as base64url. */
export function contentVersion({ digest }: Pick<Sources, "digest">, content: JsonObject): string {
  const text = digest(canonicalJson(content));
  const last = ALPHABET.indexOf(text.charAt(LENGTH - 1));
  return text.slice(0, LENGTH - 1) + ALPHABET.charAt(last & LAST_BITS);
}
