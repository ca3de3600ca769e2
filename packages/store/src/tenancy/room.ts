/**
 * Whether there is room for one more of what may be so many.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";

/** What a write comes to that adds nothing. */
export const NOT_ADDED: Outcome<boolean> = { keep: false, result: false };

/**
 * Tells whether there are as many rows as may be. It is asked while the row that they go with is held, so that none comes
 * meanwhile.
 * @param rows a table and its condition
 * @param most undefined: as many as come
 */
export function* isFull(rows: Sql, most: number | undefined): Steps<boolean> {
  if (most === undefined) return false;
  const { rows: found }: Answer = yield sql`SELECT count(*) AS n FROM ${rows}`;
  return found.some((row) => numberOf(row, "n") >= most);
}
