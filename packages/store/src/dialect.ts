/**
 * What differs between databases. Everything else is one body of statements.
 * @module
 */
import type { Sql } from "./sql.ts";

/** The expressions that a database writes in its own way. */
export interface Dialect {
  /** A table with one text column `value`: the ids of a list. */
  idList(ids: readonly string[]): Sql;
  /** Whether a text column contains a text. */
  contains(column: Sql, text: string): Sql;
  /** Whether a text column ends in a text. */
  endsWith(column: Sql, text: string): Sql;
  /** A column of sort keys in a form that is read whole: as it is, or text as its bytes in UTF-8. */
  wholeKey(column: Sql): Sql;
  /** A member of a JSON object in a text column, as text; null where it is missing. */
  jsonMember(column: Sql, name: Sql): Sql;
  /** Which shard of a counter a write goes to: an integer from 0. */
  counterShard(): number;
  /**
   * Numbers of transactions that may be under way as a statement sees it: from `first`, up to before `end`. Null
   * where transactions are numbered in the order of their commits.
   */
  readonly openTransactions: { readonly first: Sql; readonly end: Sql } | null;
  /** What a query of one row ends in that holds the row until the transaction ends, and skips one that is held. */
  readonly heldRow: Sql;
}
