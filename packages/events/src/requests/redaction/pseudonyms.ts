/**
 * Pseudonyms: what stands in the request log for personal values. Equal values have equal pseudonyms, and a pseudonym
 * keeps the form of its value, so that a redacted request means the same to the service that reads it again.
 * @module
 */
import { comparisonKey } from "@scim/filter";
import { type AttributeNode, isUriReference } from "@scim/core";
import { type DigestKey, type KeyedDigest, signingKey } from "../../keys.ts";

/** Characters of a keyed hash that are kept: 128 bits. */
const HASH_CHARACTERS = 22;
/** Pseudonyms that are remembered: values come again and again, in requests, answers and filters. */
const MOST_KEPT = 5000;
/** Longer values are not remembered; of white space, which stands for itself, no more is shown. */
const LONGEST_KEPT = 200;

/** What stands for a value that nobody may see, not even as a hash. */
export const WITHHELD = "~withheld";

/** What pseudonyms are made with. */
export interface PseudonymKeys {
  readonly keys: readonly DigestKey[];
  readonly hmac: KeyedDigest;
}

/** Makes pseudonyms for the values of one tenant. */
export class Pseudonyms {
  readonly #secret: Uint8Array;
  readonly #hmac: KeyedDigest;
  readonly #kept = new Map<string, string>();

  /** @throws TypeError where there is no key */
  constructor(keys: PseudonymKeys) {
    this.#secret = signingKey(keys).secret;
    this.#hmac = keys.hmac;
  }

  /**
   * The pseudonym of a text. Of an attribute that ignores letter case, texts that are equal but for it have one.
   * @param node the attribute that it is a value of, as far as it is known
   */
  of(tenant: string, text: string, node?: AttributeNode): string {
    if (text.trim() === "") return text.slice(0, LONGEST_KEPT);
    const hash = this.#hash(tenant, folded(text, node));
    switch (node?.attribute.type) {
      case "dateTime":
        return isNaN(Date.parse(text)) ? `~${hash}` : "1970-01-01T00:00:00Z";
      case "binary":
        return /^[A-Za-z0-9+/_-]+=*$/.test(text) ? hash.slice(0, 20).replaceAll(/[-_]/g, "A") : `~${hash}`;
      case "reference":
        // What is no URI stays none: a switch tells whether it is taken.
        return isUriReference(text) ? withForm(text, hash) : `~<${hash}>`;
      default:
        return withForm(text, hash);
    }
  }

  /** The pseudonym of a value that stands as canonical JSON. That of a text is the one that it has wherever it stands. */
  ofJson(tenant: string, json: string, node: AttributeNode | undefined): string {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "string") return this.of(tenant, json);
    // Of other types the form of a value is kept, and two of them may look alike: here they are told apart.
    return this.of(tenant, value, node?.attribute.type === "string" ? node : undefined);
  }

  #hash(tenant: string, text: string): string {
    const key = `${tenant}\n${text}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const hash = this.#hmac(this.#secret, `request log\n${key}`).slice(0, HASH_CHARACTERS);
    if (text.length > LONGEST_KEPT) return hash;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(key, hash);
    return hash;
  }
}

function withForm(text: string, hash: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return `https://example.invalid/~${hash}`;
  return /^[^@\s]+@[^@\s]+$/.test(text) ? `~${hash}@example.invalid` : `~${hash}`;
}

function folded(text: string, node: AttributeNode | undefined): string {
  if (node === undefined || node.attribute.type !== "string") return text;
  return String(comparisonKey("string", node.attribute.caseExact, text) ?? text);
}
