/**
 * The formats of RFC 7643 §2.3 that JSON Schema does not know.
 * @module
 */
import { parseDateTime } from "@scim/filter";

/** RFC 4648 §4, padding optional (RFC 7643 §2.3.6). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Whether text is Base64 (RFC 4648 §4), with or without padding. */
export function isBinary(text: string): boolean {
  return BASE64.test(text);
}

/** Whether text is an xsd:dateTime that exists (RFC 7643 §2.3.5). */
export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== undefined;
}

/**
 * Whether text can stand as a reference (RFC 7643 §2.3.7). Identity providers send profile and photo
 * addresses that are no URIs, so only what cannot be kept in a header or a link is refused.
 */
export function isReference(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return false;
  }
  return true;
}
