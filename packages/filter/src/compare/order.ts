/**
 * The order of comparison keys.
 * @module
 */
import type { ComparisonKey } from "../bound.ts";

const FIRST_SURROGATE = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/**
 * Orders two keys of one attribute: texts by Unicode code point (as SQL's `COLLATE "C"` does over
 * UTF-8), numbers by value, false before true. Keys of different types are ordered boolean, number, text.
 * @returns a number below, equal to or above 0, as `Array.prototype.sort` takes it.
 */
export function compareKeys(a: ComparisonKey, b: ComparisonKey): number {
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === typeof b) return Number(a) - Number(b);
  return rank(a) - rank(b);
}

function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

// Surrogates stand for the code points behind U+FFFF, but as code units sort before U+E000.
function codePointRank(unit: number): number {
  const surrogate = unit >= FIRST_SURROGATE && unit < BEHIND_SURROGATES;
  return surrogate ? unit + BEHIND_SURROGATES : unit;
}

function rank(key: ComparisonKey): number {
  if (typeof key === "boolean") return 0;
  return typeof key === "number" ? 1 : 2;
}
