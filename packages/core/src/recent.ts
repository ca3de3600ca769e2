/**
 * How long what was found out is believed, by a clock that may be set back.
 * @module
 */

/** What an age is told by, all in milliseconds. */
export interface RecentBy {
  /** The present, since 1970. */
  readonly now: number;
  /** How long something is recent. */
  readonly within: number;
}

/**
 * Whether an instant, in milliseconds since 1970, is recent. Where the clock was set back since, nobody knows how long ago
 * it was: it is not.
 *
 * @example
 * isRecent(1000, { now: 1500, within: 1000 }); // true
 * isRecent(1000, { now: 900, within: 1000 }); // false
 */
export function isRecent(at: number, { now, within }: RecentBy): boolean {
  const age = now - at;
  return age >= 0 && age < within;
}
