/**
 * Guesses from the text of a page where the next one begins, without reading it. A guess that turns out wrong costs a
 * request, and nothing else: what counts is the page when it was read.
 * @module
 */
import type { Place } from "./ahead.ts";

/** Characters at either end of the text that are looked at. What describes a page stands before its resources or behind. */
const REACH = 1024;

// One with escapes is left to whoever reads the page.
const CURSOR = /"nextCursor"\s*:\s*"([^"\\]+)"/i;
const TOTAL = /"totalResults"\s*:\s*(\d{1,15})\b/i;
const LENGTH = /"itemsPerPage"\s*:\s*(\d{1,15})\b/i;

/** Where the page behind the one of a place begins, or null where the text does not tell. */
export function placeBehind({ cursor, startIndex, count }: Place, text: string): Place | null {
  const ends = endsOf(text);
  if (cursor !== undefined) {
    const next = found(CURSOR, ends);
    return next === null ? null : { cursor: next, count };
  }
  const [total, length] = [found(TOTAL, ends), found(LENGTH, ends)];
  if (startIndex === undefined || total === null || length === null) return null;
  // By index, a page begins with the last resource of the one before.
  const last = startIndex + Number(length) - 1;
  return last > startIndex && last < Number(total) ? { startIndex: last, count } : null;
}

function endsOf(text: string): readonly string[] {
  const resources = text.slice(0, REACH).search(/"Resources"/i);
  return [text.slice(0, resources === -1 ? REACH : resources), text.slice(-REACH)];
}

function found(pattern: RegExp, texts: readonly string[]): string | null {
  for (const text of texts) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) return value;
  }
  return null;
}
