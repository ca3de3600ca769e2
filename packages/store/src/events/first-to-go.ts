/**
 * How far what is kept in order of position goes, where clocks may have been ahead.
 * @module
 */
import type { sql } from "../sql.ts";
import { type Answer, type Row, type Steps, textOf } from "../steps.ts";

/** What goes: what is from before an instant, and what lies before that and is later than the present. */
export interface Overdue {
  readonly before: string;
  /** Undefined: nothing is later. */
  readonly present: string | undefined;
  /** What tells `at` of the first row behind a row of the page that is not later than an instant. */
  readonly firstBehind: (last: Row, present: string) => ReturnType<typeof sql>;
}

/**
 * The first rows of a page that go. One that is later than the present holds up none behind it: it goes with the next of them
 * that goes, in the page or behind it.
 */
export function* firstToGo(
  page: readonly Row[],
  { before, present, firstBehind }: Overdue,
): Steps<readonly Row[]> {
  const isDue = (row: Row): boolean => textOf(row, "at") < before;
  const isLater = (row: Row): boolean => present !== undefined && textOf(row, "at") > present;
  const kept = page.findIndex((row) => !isDue(row) && !isLater(row));
  const last = page.at(-1);
  if (kept === -1 && present !== undefined && last !== undefined && isLater(last)) {
    const { rows }: Answer = yield firstBehind(last, present);
    if (rows.some(isDue)) return page;
  }
  const going = kept === -1 ? page : page.slice(0, kept);
  return going.slice(0, going.findLastIndex(isDue) + 1);
}
