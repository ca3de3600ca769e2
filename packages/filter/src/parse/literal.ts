/**
 * Values within a text: JSON literals (RFC 8259), and the forms that a tolerance adds.
 * @module
 */
import type { Literal } from "../ast/nodes.ts";
import { BRACKET, CLOSING, Code, DIGIT, endsOrIs, isClass, WHITE_SPACE } from "./characters.ts";
import { fault } from "./fault.ts";
import { faults, unclosedString } from "./faults.ts";

/** A value and where its text ends. */
export interface ScannedValue {
  readonly value: Literal;
  readonly end: number;
}

const ESCAPES = new Set('"\\/bfnrt');
const FOUR_HEX_DIGITS = /^[0-9a-f]{4}$/i;
const LAST_CONTROL = 0x1f;

/** Reads a string in double quotes that begins at `start`. */
export function scanString(text: string, start: number): ScannedValue {
  const { end, escaped } = stringEnd(text, start);
  const value = escaped ? decode(text.slice(start, end)) : text.slice(start + 1, end - 1);
  return { value, end };
}

/** Reads a string in single quotes, with JSON's escapes and `\'`. */
export function scanSingleQuoted(text: string, start: number): ScannedValue {
  const { end } = stringEnd(text, start);
  const inner = text.slice(start + 1, end - 1);
  const json = inner.replaceAll(/\\.|"/gs, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part));
  return { value: decode(`"${json}"`), end };
}

/** Reads `true`, `false`, `null` or a number at `start`; null where there is none. */
export function scanBareLiteral(text: string, start: number): ScannedValue | null {
  if (text.startsWith("true", start)) return { value: true, end: start + 4 };
  if (text.startsWith("false", start)) return { value: false, end: start + 5 };
  if (text.startsWith("null", start)) return { value: null, end: start + 4 };
  return scanNumber(text, start);
}

/** Reads a word without quotes; `true`, `false` and `null` in any letter case are literals. */
export function scanWord(text: string, start: number): ScannedValue | null {
  let end = start;
  while (end < text.length && !isWordEnd(text.charCodeAt(end))) end += 1;
  if (end === start) return null;
  const word = text.slice(start, end);
  const literal = scanBareLiteral(word.toLowerCase(), 0);
  const isLiteral = literal !== null && literal.end === word.length && typeof literal.value !== "number";
  return { value: isLiteral ? literal.value : word, end };
}

/** Whether a value may end here: before the end, white space, `)` or `]` (R7644-3.4.2.2-09). */
export function isValueBoundary(text: string, end: number): boolean {
  return endsOrIs(text, end, WHITE_SPACE | CLOSING);
}

function isWordEnd(code: number): boolean {
  return code <= LAST_CONTROL || code === Code.quote || isClass(code, WHITE_SPACE | BRACKET);
}

function stringEnd(text: string, start: number): { readonly end: number; readonly escaped: boolean } {
  const quote = text.charCodeAt(start);
  let escaped = false;
  let position = start + 1;
  for (; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === quote) return { end: position + 1, escaped };
    if (code === Code.backslash) {
      escaped = true;
      position = escapeEnd(text, position, quote) - 1;
    } else if (code <= LAST_CONTROL) {
      throw fault(text, position, faults.controlCharacter);
    }
  }
  throw fault(text, text.length, unclosedString(start));
}

function escapeEnd(text: string, backslash: number, quote: number): number {
  const code = text.charCodeAt(backslash + 1);
  if (code === quote || ESCAPES.has(text.charAt(backslash + 1))) return backslash + 2;
  if (text.charAt(backslash + 1) === "u" && FOUR_HEX_DIGITS.test(text.slice(backslash + 2, backslash + 6))) {
    return backslash + 6;
  }
  throw fault(text, backslash, faults.escapeExpected);
}

function decode(json: string): string {
  // The scan has checked every character, so this is a string and cannot throw.
  return String(JSON.parse(json));
}

// number = ["-"] ( "0" / DIGIT1-9 *DIGIT ) ["." 1*DIGIT] [("e" / "E") ["+" / "-"] 1*DIGIT]
function scanNumber(text: string, start: number): ScannedValue | null {
  const first = text.charCodeAt(start);
  if (first !== Code.minus && !isClass(first, DIGIT)) return null;
  const pattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  pattern.lastIndex = start;
  if (!pattern.test(text)) return null;
  const value = Number(text.slice(start, pattern.lastIndex));
  if (!Number.isFinite(value)) throw fault(text, start, faults.numberTooLarge);
  // Adding zero makes 0 of -0, which JSON cannot tell apart.
  return { value: value + 0, end: pattern.lastIndex };
}
