/**
 * The formats of RFC 7643 §2.3 that JSON Schema does not know, and the digits of decimals.
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
 * URI-reference of RFC 3986 §4.1: scheme, authority and path, query, fragment. Each part ends at a character that it
 * cannot hold itself, so that no text is looked at twice.
 */
const URI_REFERENCE = new RegExp(
  [
    /^(?:[a-z][a-z0-9+.-]*:)?/,
    /(?:\/\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2}|\[[\da-f:.v]+\])*(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?|(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)/,
    /(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?/,
    /(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/,
  ]
    .map((part) => part.source)
    .join(""),
  "i",
);

/** Whether text is a URI, absolute or relative (RFC 3986 §4.1). */
export function isUriReference(text: string): boolean {
  return URI_REFERENCE.test(text);
}

/**
 * Whether text can be kept as a reference (RFC 7643 §2.3.7), URI or not: all but what cannot stand in a header or a
 * link. Identity providers send profile and photo addresses that are no URIs.
 */
export function isReference(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || code === 0x7f) return false;
  }
  return true;
}

/** How many code points a text has; a surrogate pair is one. */
export function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A number as JSON writes it shortest: digits before and after the point, and the exponent. */
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** How many digits a number has, leading zeros aside, when it is written without an exponent. */
export function precisionOf(value: number): number {
  const { whole, fraction, exponent } = partsOf(value);
  const significant = `${whole}${fraction}`.replace(/^0+/, "");
  return significant.length + Math.max(0, exponent - fraction.length);
}

/** How many digits a number has after the point, when it is written without an exponent. */
export function scaleOf(value: number): number {
  const { fraction, exponent } = partsOf(value);
  return Math.max(0, fraction.length - exponent);
}

function partsOf(value: number): {
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
} {
  const [, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(String(value)) ?? [];
  return { whole, fraction, exponent: Number(exponent) };
}
