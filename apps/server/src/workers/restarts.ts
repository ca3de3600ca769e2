/**
 * How long to wait before a worker that died is started again: the more often, the longer.
 * @module
 */

/** First wait, in milliseconds. */
const FIRST_MS = 100;
/** Longest wait, in milliseconds (10 seconds). */
const LONGEST_MS = 10_000;
/** A worker that ran so long, in milliseconds (one minute), begins with the first wait again. */
const SOUND_MS = 60_000;

/** The waits of one worker. */
export interface Restarts {
  /** Milliseconds to wait now, of a worker that ran so many milliseconds. */
  next(ranMs: number): number;
}

/** Begins with the first wait. */
export function createRestarts(): Restarts {
  let wait = FIRST_MS;
  return {
    next(ranMs) {
      if (ranMs >= SOUND_MS) wait = FIRST_MS;
      const now = wait;
      wait = Math.min(wait * 2, LONGEST_MS);
      return now;
    },
  };
}
