/**
 * Pages of lists that are in the order of their keys.
 * @module
 */

/** A page: keyset paging, so that what comes and goes meanwhile moves nothing else. */
export interface KeyPage {
  /** Those behind this key; null begins with the first. */
  readonly after: string | null;
  /** At most so many: 1 or more. */
  readonly count: number;
}

/** The rows of a page, of a list that is held whole. */
export function onPage<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  page: KeyPage | undefined,
): readonly Row[] {
  if (page === undefined) return rows;
  const { after, count } = page;
  const behind = after === null ? rows : rows.filter((row) => keyOf(row) > after);
  return behind.slice(0, count);
}
