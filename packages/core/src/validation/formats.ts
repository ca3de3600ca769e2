/**
 * The formats of RFC 7643 §2.3 that JSON Schema does not know.
 * @module
 */
import { parseDateTime } from "@scim/filter";

// Patterns repeat single characters alone: a repeated group takes room on the stack for each time, and texts are long.

/** Digits of Base64 and what fills up the last four (RFC 4648 §4). */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether text is Base64 (RFC 4648 §4), with or without padding (RFC 7643 §2.3.6). */
export function isBinary(text: string): boolean {
  if (!BASE64.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}

/** Whether text is an xsd:dateTime that exists (RFC 7643 §2.3.5). */
export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== undefined;
}

/** What stands nowhere in a URI (RFC 3986 §2). */
const OUTSIDE_URIS = /[^\w.~!$&'()*+,;=:@/?#%[\]-]|%(?![\da-f]{2})/i;
/** Scheme and authority of a URI-reference that has one (RFC 3986 §3.2). */
const AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i;
const IP_LITERAL = /\[[\da-f:.v]+\]/gi;
const BRACKET = /[[\]]/;

/** Whether text is a URI, absolute or relative (RFC 3986 §4.1). */
export function isUriReference(text: string): boolean {
  const fragment = text.indexOf("#");
  if (OUTSIDE_URIS.test(text) || (fragment >= 0 && text.includes("#", fragment + 1))) return false;
  const [authority = ""] = AUTHORITY.exec(text) ?? [];
  return !BRACKET.test(text.slice(authority.length)) && !BRACKET.test(authority.replaceAll(IP_LITERAL, ""));
}

// eslint-disable-next-line no-control-regex -- what they are is the point
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Whether text can be kept as a reference (RFC 7643 §2.3.7), URI or not: all but what cannot stand in a header or a
 * link. Identity providers send profile and photo addresses that are no URIs.
 */
export function isReference(text: string): boolean {
  return !CONTROL.test(text);
}

/** Whether a text has more code points than a limit; a surrogate pair is one. */
export function isLonger(text: string, limit: number): boolean {
  // Each takes two UTF-16 code units at most: no longer text is counted.
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count += 1;
  return count > limit;
}
