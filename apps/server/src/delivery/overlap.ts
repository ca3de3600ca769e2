/**
 * How long the old secret of a receiver stays good behind a new one.
 * @module
 */

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** Hours where nobody says anything. */
export const OVERLAP_HOURS = 24;

/** Most hours (30 days). */
export const MOST_OVERLAP_HOURS = 720;
