/**
 * Which transactions may be under way, where a transaction is numbered when it begins to write.
 * @module
 */
import type { Dialect } from "./dialect.ts";
import { type Sql, sql } from "./sql.ts";
import { type Answer, numberOf, type Steps } from "./steps.ts";

/** Numbers of transactions that may be under way: from the first, up to before the end. */
export interface OpenTransactions {
  readonly first: number;
  readonly end: number;
}

/**
 * The transactions that may be under way now.
 * @param from what the query reads, such as `FROM tenants WHERE …`: of several nodes, that of its row tells; null where there is
 * no such row
 */
export function* readOpenTransactions(
  { first, end }: NonNullable<Dialect["openTransactions"]>,
  from: Sql = sql``,
): Steps<OpenTransactions | null> {
  const { rows }: Answer = yield sql`SELECT ${first} AS first_open, ${end} AS end_open ${from}`;
  const [row] = rows;
  return row === undefined ? null : { first: numberOf(row, "first_open"), end: numberOf(row, "end_open") };
}
