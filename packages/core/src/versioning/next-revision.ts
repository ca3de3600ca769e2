/**
 * Revisions of what administrators change: their entity tags, and what a write is compared by.
 * @module
 */

/** The greatest step is this part of the numbers that are left: 2^32 in the beginning. */
const PART = 2 ** 21;

/**
 * The revision behind another; behind 0 the first. It is greater by a random step: a mere count comes again with other
 * content behind a restored backup or on a promoted replica that lacks the end, and a stale `If-Match` would pass. A digest
 * of the content would tell who guesses it what they may not read, and differ from one release to the next.
 * @param random from 0 to below 1
 */
export function nextRevision(before: number, random: number): number {
  return before + 1 + Math.floor(random * ((Number.MAX_SAFE_INTEGER - before) / PART));
}
