/**
 * Removes or changes many rows some at a time: those up to a place, which every database finds by index, whatever it knows of how
 * many there are. Of a list of keys that is asked for in the same statement, it might look each row up in the whole list.
 * @module
 */
import { joinSql, type Sql, sql } from "./sql.ts";
import { type Answer, PAUSE, type Steps } from "./steps.ts";

/** Rows of a table, and the columns by which an index has them one behind the other. */
export interface OrderedRows {
  readonly table: Sql;
  /** The condition that selects them. */
  readonly of: Sql;
  /** No two rows have the same values there. */
  readonly order: readonly Sql[];
}

/** Where a row is in the order, as the values of the columns; null where there are not so many rows. */
export function* placeOf({ table, of, order }: OrderedRows, nth: number): Steps<Sql | null> {
  const columns = joinSql(order, ", ");
  const { rows }: Answer = yield sql`SELECT ${columns} FROM ${table} WHERE ${of}
      ORDER BY ${columns} LIMIT 1 OFFSET ${nth - 1}`;
  const [row] = rows;
  if (row === undefined) return null;
  const values = order.map(({ text }) => sql`${row[text] ?? null}`);
  return sql`(${joinSql(values, ", ")})`;
}

/** Removes the first rows, at most so many. Answers how many there were. */
export function* removeFirst(rows: OrderedRows, most: number): Steps<number> {
  const { table, of, order } = rows;
  const place = yield* placeOf(rows, most);
  const upTo = place === null ? sql`` : sql` AND (${joinSql(order, ", ")}) <= ${place}`;
  const { changes }: Answer = yield sql`DELETE FROM ${table} WHERE ${of}${upTo}`;
  return changes;
}

/** Rows that one statement goes through before others may read. */
const STRETCH = 512;

/**
 * Goes through rows of one transaction, some at a time: those between two places, behind those that were gone through.
 * Answers how many were changed.
 * @param change the statement that changes or removes those of a condition, or some of them
 * @param most where it removes each: at most so many
 */
export function* inStretches(
  { of, ...rows }: OrderedRows,
  change: (of: Sql) => Sql,
  most: number = Number.POSITIVE_INFINITY,
): Steps<number> {
  const columns = joinSql(rows.order, ", ");
  let changed = 0;
  let rest = of;
  while (changed < most) {
    const place = yield* placeOf({ ...rows, of: rest }, Math.min(STRETCH, most - changed));
    const { changes }: Answer = yield change(
      place === null ? rest : sql`${rest} AND (${columns}) <= ${place}`,
    );
    changed += changes;
    if (place === null) break;
    rest = sql`${of} AND (${columns}) > ${place}`;
    yield PAUSE;
  }
  return changed;
}
