/**
 * When a delivery that failed is tried again.
 * @module
 */

const FIRST_MS = 5000;
/** Longest pause between two attempts, in milliseconds (one hour). */
export const LONGEST_PAUSE_MS = 3_600_000;
/** Exponents beyond this lead past the longest pause in any case. */
const MOST_DOUBLINGS = 16;

/**
 * Milliseconds until the next attempt: 5 s after the first, twice as long after each further one, at most one hour, and
 * of that between half and the whole by chance, so that receivers of many are not called at once.
 * @param attempts how often it was tried: 1 or more
 * @param random from 0 to below 1
 */
export function pauseAfter(attempts: number, random: number): number {
  const whole = Math.min(LONGEST_PAUSE_MS, FIRST_MS * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS));
  return Math.round(whole * (0.5 + random / 2));
}
