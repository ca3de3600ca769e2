/**
 * The form in which strings are compared whose attribute is not case exact
 * (RFC 7643 §2.2 `caseExact`, RFC 7644 §5, RFC 8265 §3.3 without its checks).
 * @module
 */
import { mapWidth } from "./width.ts";

// eslint-disable-next-line no-control-regex -- the range is that of ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** Longest run of combining marks that is composed: no writing system has more than 30 (UAX #15, Stream-Safe Text Format). */
const MOST_MARKS = 64;

// Only where a run begins, so that a long one is gone through once.
const OVERLONG_RUN = new RegExp(`(?<!\\p{M})\\p{M}{${String(MOST_MARKS + 1)}}`, "u");

// The only characters whose lower case is several code points, or depends on what stands around them.
const LOWERED_ALONE = /[\u0130\u03a3]/;

/**
 * Maps full and half width characters, composes to NFC, and lower-cases each code point alone: no
 * locale, no context. So `Ａlice` is `alice`, and `Straße` is not `STRASSE`; every sigma that is not
 * already final becomes `σ`; `İ`, whose lower case is two code points, stays. Folding twice changes nothing.
 * Text with more than 64 combining marks in a row is not composed: to order them takes the square of their number,
 * which is seconds for the longest strings.
 */
export function foldCase(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  const mapped = mapWidth(text);
  if (hasOverlongRun(mapped)) return lowerCaseEach(mapped);
  return lowerCaseEach(mapped.normalize("NFC")).normalize("NFC");
}

/**
 * Composes text to NFC, in a time that its length bounds: with more than 64 combining marks in a row it stays as it is, as in
 * {@link foldCase}.
 *
 * @example
 * composeText("ca\u0301sa"); // "cása"
 */
export function composeText(text: string): string {
  return hasOverlongRun(text) ? text : text.normalize("NFC");
}

function hasOverlongRun(text: string): boolean {
  return text.length > MOST_MARKS && OVERLONG_RUN.test(text);
}

function lowerCaseEach(text: string): string {
  if (!LOWERED_ALONE.test(text)) return text.toLowerCase();
  let result = "";
  for (const character of text) {
    const lower = character.toLowerCase();
    // Only a lower case of several code points has another length.
    result += lower.length === character.length ? lower : character;
  }
  return result;
}
