/**
 * The form in which strings are compared whose attribute is not case exact
 * (RFC 7643 §2.2 `caseExact`, RFC 7644 §5, RFC 8265 §3.3 without its checks).
 * @module
 */
import { mapWidth } from "./width.ts";

// eslint-disable-next-line no-control-regex -- the range is that of ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/**
 * Maps full and half width characters, composes to NFC, and lower-cases each code point alone: no
 * locale, no context. So `Ａlice` is `alice`, and `Straße` is not `STRASSE`; every sigma that is not
 * already final becomes `σ`; `İ`, whose lower case is two code points, stays. Folding twice changes nothing.
 */
export function foldCase(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  const composed = mapWidth(text).normalize("NFC");
  return lowerCaseEach(composed).normalize("NFC");
}

function lowerCaseEach(text: string): string {
  let result = "";
  for (const character of text) {
    const lower = character.toLowerCase();
    // Only a lower case of several code points has another length.
    result += lower.length === character.length ? lower : character;
  }
  return result;
}
