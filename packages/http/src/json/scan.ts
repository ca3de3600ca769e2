/**
 * One linear pass over JSON text before it is parsed: depth, member names, and numbers that a double
 * cannot hold. It reads any text, valid or not, and never recurses.
 * @module
 */
import { isExactNumber } from "@scim/schemas";

/** What the pass found. */
export interface JsonScan {
  /** Offset of the first bracket that nests too deep, or null. */
  readonly tooDeepAt: number | null;
  /** Offset of the first number whose value would change, or null. */
  readonly inexactAt: number | null;
  /** How many member names the text holds. */
  readonly names: number;
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Scans a text. Stops where it nests deeper than `maxDepth`. */
export function scanJson(text: string, maxDepth: number): JsonScan {
  let names = 0;
  let depth = 0;
  let inexactAt: number | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) names += 1;
    else if (isOpening(code)) {
      depth += 1;
      if (depth > maxDepth) return { tooDeepAt: at, inexactAt, names };
    } else if (isClosing(code)) depth -= 1;
    else if (beginsNumber(code)) {
      const end = endOfNumber(text, at + 1);
      if (inexactAt === null && !isExactNumber(text.slice(at, end))) inexactAt = at;
      at = end - 1;
    }
  }
  return { tooDeepAt: null, inexactAt, names };
}

/** A whole pair, half of one (the group), or any other escape. Read from the left, an escaped backslash ends none. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|(u[dD][89a-fA-F][\dA-Fa-f]{2})|[^])/g;

/**
 * Offset of the first escape that is half of a surrogate pair, or null. In text that was valid UTF-8, a half comes
 * from an escape alone.
 */
export function findHalfPair(text: string): number | null {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return null;
  for (const { index, 1: half } of text.matchAll(ESCAPE)) if (half !== undefined) return index;
  return null;
}

/** Offset of the quote that ends the string begun at `start`, or the length of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** Offset behind the last character from `start` on that may be part of a number, whose first stands before. */
export function endOfNumber(text: string, start: number): number {
  let end = start;
  while (end < text.length && isNumberPart(text.charCodeAt(end))) end += 1;
  return end;
}

function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

/** Whether a character begins a number. */
export function beginsNumber(code: number): boolean {
  return isDigit(code) || code === MINUS;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Digits, `+`, `-`, `.`, `e`, `E`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === MINUS || code === 0x2e || code === 0x65 || code === 0x45;
}
