/**
 * The words of the grammar, which ignore letter case (RFC 7644 §3.4.2.2).
 * @module
 */
import type { CompareOperator } from "../ast/nodes.ts";

/** Operators that take a value. */
export const compareOperators: readonly CompareOperator[] = [
  "eq",
  "ne",
  "co",
  "sw",
  "ew",
  "gt",
  "ge",
  "lt",
  "le",
];

/** A word that means something to the grammar. */
export type Word = CompareOperator | "pr" | "and" | "or" | "not";

const LONGEST = 3;
const LOWER_CASE = 0x20;
const UNIT_BITS = 8;

const words: ReadonlyMap<number, Word> = new Map(
  ([...compareOperators, "pr", "and", "or", "not"] as const).map((word): [number, Word] => [
    packed(word, 0, word.length),
    word,
  ]),
);

/** The word between two offsets, or undefined where the grammar has none of that name. */
export function wordAt(text: string, start: number, end: number): Word | undefined {
  return end - start > LONGEST ? undefined : words.get(packed(text, start, end));
}

/** Whether a word is an operator that takes a value. */
export function isOperator(word: Word | undefined): word is CompareOperator {
  return word !== undefined && word !== "pr" && word !== "and" && word !== "or" && word !== "not";
}

// A number for a short word: looking it up copies no text. Setting the bit lower-cases a letter; of the
// other characters of a name none becomes a letter by it.
function packed(text: string, start: number, end: number): number {
  let bits = 0;
  for (let index = start; index < end; index += 1) {
    bits = (bits << UNIT_BITS) | text.charCodeAt(index) | LOWER_CASE;
  }
  return bits;
}
