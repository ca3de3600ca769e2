/**
 * Ids before and behind all others, which no resource has: a list that goes on with another resource type begins there.
 * @module
 */

/** Stands before every id. */
export const FIRST_ID = "";

/** Stands behind every id. */
export const LAST_ID = "\u{10ffff}";
