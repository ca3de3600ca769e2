/**
 * When a delivery that failed is tried again, also where the clock goes back.
 * @module
 */

const FIRST_MS = 5000;
/** Longest pause between two attempts, in milliseconds (one hour). */
export const LONGEST_PAUSE_MS = 3_600_000;
/** Exponents beyond this lead past the longest pause in any case. */
const MOST_DOUBLINGS = 16;

/** How far clocks of processes may differ, in milliseconds. What lies further ahead was written by a clock that has gone back since. */
export const CLOCK_SKEW_MS = 60_000;

/** The present, as times of deliveries and leases are held against it: UTC with milliseconds. */
export interface Present {
  readonly now: string;
  /** What is set for later than this was written while a clock was ahead: no pause and no lease leads there. It counts as over. */
  readonly latest: string;
}

/** The present at an instant, in milliseconds since 1970. */
export function presentAt(now: number): Present {
  return {
    now: new Date(now).toISOString(),
    latest: new Date(now + LONGEST_PAUSE_MS + CLOCK_SKEW_MS).toISOString(),
  };
}

/** Whether the time of something has come. */
export function hasCome(time: string, { now, latest }: Present): boolean {
  return time <= now || time > latest;
}

/**
 * Since when something has failed, without the time in which nobody could try it again: its tenant was suspended, its
 * receiver paused, or no process ran.
 * @param due when it was to be tried again
 */
export function triedSince(since: string, due: string, now: number): string {
  const late = now - Date.parse(due);
  if (late <= LONGEST_PAUSE_MS) return since;
  return new Date(Math.min(now, Date.parse(since) + late)).toISOString();
}

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
