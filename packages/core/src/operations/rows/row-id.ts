/**
 * Ids of rows: `<owner>~<value>`.
 * @module
 */

/** The two ends of a row. */
export interface RowEnds {
  readonly owner: string;
  readonly value: string;
}

const MARK = "~";

/** The id of a row. The owner's part holds no `~`, so that no two rows have the same id. */
export function rowId({ owner, value }: RowEnds): string {
  return `${owner.replaceAll("%", "%25").replaceAll(MARK, "%7E")}${MARK}${value}`;
}

/** The ends of the row that an id names; null where it can name none. */
export function rowEnds(id: string): RowEnds | null {
  const mark = id.indexOf(MARK);
  if (mark <= 0) return null;
  const ends = {
    owner: id.slice(0, mark).replaceAll("%7E", MARK).replaceAll("%25", "%"),
    value: id.slice(mark + 1),
  };
  // One spelling names a row, and no other.
  return ends.value !== "" && rowId(ends) === id ? ends : null;
}
