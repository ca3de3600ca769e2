/**
 * What differs between databases. Everything else is one body of statements.
 * @module
 */
import type { CompareOperator, ComparisonKey } from "@scim/filter";
import type { Sql, SqlValue } from "./sql.ts";

/** A comparison key as it is read back: of a boolean 0 or 1. */
export type ReadKey = string | number;

/** How a database holds comparison keys, so that they are in the order of code points or of numbers. */
export interface KeyForm {
  /** The columns of `attribute_index` that a key fills, and what it fills them with. */
  readonly entryColumns: Sql;
  entry(key: ComparisonKey): Sql;
  /** What column `key` holds of a key, however long it is: the same for equal keys, and for no others. */
  bounded(key: ComparisonKey): SqlValue;
  /** What a key is compared with in the order of an index; right where no key is cut (`cutKeys`). */
  ordered(key: ReadKey): SqlValue;
  /** The condition that the key of the entry `x` compares with another as an operator says. */
  condition(operator: Exclude<CompareOperator, "ne">, key: ComparisonKey): Sql;
  /** The condition that the key of the entry `x` is one of some, however many: the text of a statement stays the same. */
  oneOf(among: readonly ComparisonKey[]): Sql;
  /** The whole key of the entry `x`, for an order that no index gives. */
  readonly whole: Sql;
  /** A column of keys as `read` wants it: no driver changes it on the way. */
  readable(column: Sql): Sql;
  read(value: SqlValue | undefined): ReadKey;
  /**
   * A query that answers a row where the index of a path is not in order because long keys are cut; null where none
   * ever is.
   */
  cutKeys(tenant: string, type: string, path: string): Sql | null;
}

/** The rows `m` of a table that belong to one row of another. */
export interface OwnedRows {
  readonly table: Sql;
  /** The condition that they belong to it. */
  readonly of: Sql;
  readonly order: Sql;
  /** No more of each are asked for. */
  readonly most: number;
}

/** The expressions that a database writes in its own way. */
export interface Dialect {
  readonly keys: KeyForm;
  /** A table with one text column `value`: the ids of a list. */
  idList(ids: readonly string[]): Sql;
  /**
   * A table of the pairs in a JSON list of lists of two texts: columns `n`, which counts from 0, `value` and `rest`.
   */
  pairs(text: string): Sql;
  /**
   * A condition that always holds, behind those of a statement that goes through many rows, which it is told the numbers
   * of: where a thread of this process runs it, requests have the processor from time to time.
   */
  paced(row: Sql): Sql;
  /**
   * Whether a column of ids holds one that a query finds. It finds few, and is asked first, whatever the database
   * believes of their number.
   */
  among(column: Sql, query: Sql): Sql;
  /** A text column in a condition by which no row is looked up, where the database might choose the wrong index. */
  readonly unindexed: (column: Sql) => Sql;
  /**
   * What statements of a transaction that compare two collections, long ones both, stand between: each collection is gone
   * through once. A database that guesses how long they are might look each value of one up in the other, or even go
   * through all of that for it.
   */
  readonly wholeJoins: { readonly begin: readonly Sql[]; readonly end: readonly Sql[] };
  /**
   * What a CROSS JOIN goes through for each row before it, by index. A database that guesses how many rows belong to one
   * might go through the whole table instead, and sort it.
   */
  ownedRows(rows: OwnedRows): Sql;
  /** Whether a text column contains a text. */
  contains(column: Sql, text: string): Sql;
  /** Whether a text column ends in a text. */
  endsWith(column: Sql, text: string): Sql;
  /**
   * What the query of an EXISTS ends in that is to be asked of each row, by index. A database that makes a join of it
   * guesses how many rows there are, and may go through all of them for each.
   */
  readonly rowByRow: Sql;
  /**
   * A member of a JSON object in a text column, as JSON: null where it is missing, and the whole object where the
   * database cannot read the text that it holds.
   */
  jsonMember(column: Sql, name: Sql): Sql;
  /** All shards of a counter, in the order in which they are locked. */
  readonly counterShards: readonly number[];
  /** Which shard of a counter a write goes to: an integer from 0. */
  counterShard(): number;
  /**
   * Numbers of transactions that may be under way as a statement sees it: from `first`, up to before `end`. Null
   * where transactions are numbered in the order of their commits.
   */
  readonly openTransactions: { readonly first: Sql; readonly end: Sql } | null;
  /**
   * The one row of an `INSERT` that reads a table for one of its values: several nodes take no query within `VALUES`, and
   * SQLite would be ready for many rows of a `SELECT`.
   */
  readonly rowOf: (values: Sql) => Sql;
  /** A statement that inserts rows, and leaves those that are there already as they are: what comes before and behind the rows. */
  readonly insertMissing: { readonly begin: string; readonly end: string };
  /**
   * What stands behind the verb of a statement that changes many rows, none of which is in the way of another: where one
   * were, the whole transaction would be taken back.
   */
  readonly orRollBack: string;
  /** What a query of one row ends in that holds the row until the transaction ends, and skips one that is held. */
  readonly heldRow: Sql;
  /** What a query of rows ends in that holds them until the transaction ends, and waits for those that others hold. */
  readonly lockedRows: Sql;
  /**
   * Statements that hold the request log of a tenant until the transaction ends: many may hold it `shared`, and one waits
   * until nobody else does. Null where one transaction writes at a time.
   */
  readonly requestLogLock: { shared(tenant: string): Sql; alone(tenant: string): Sql } | null;
  /**
   * A statement that holds the ids of a tenant that are kept, until the transaction ends: another that wants to waits. Null where one
   * transaction writes at a time.
   */
  readonly keptIdLock: ((tenant: string) => Sql) | null;
  /**
   * A statement that holds what is of the administration alone, until the transaction ends: the issuers of administrators,
   * who signs in by them, how many receivers tenants have, and which signing key is the last. Another that wants to waits. Null where one transaction writes at a time.
   */
  readonly administratorLock: Sql | null;
  /** A query that answers, as `name`, those of some tables that the database does not have. */
  missingTables(names: readonly string[]): Sql;
}
