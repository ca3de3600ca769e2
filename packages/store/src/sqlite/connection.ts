/**
 * One connection to an SQLite database, with its prepared statements.
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Sql, SqlValue } from "../sql.ts";
import { type Answer, NO_ANSWER, numberOf, type Row } from "../steps.ts";
import { GIVE_WAY, givingWay } from "./give-way.ts";

/** Statements that a connection keeps prepared. */
const CACHED_STATEMENTS = 256;

/**
 * Page cache of a connection, in KiB (16 MiB); filled on use. A commit that has moved pages goes through all of it, so that
 * more of it makes short transactions slower; the system keeps the file in memory too.
 */
const PAGE_CACHE = 16_384;

/**
 * Pages in the write-ahead log before whoever commits moves them into the database itself (256 MiB), and has all others of
 * its thread wait: only where no thread has moved them beside the writes.
 */
const CHECKPOINT_PAGES = 65_536;

/** Fixes the state that a transaction reads: that of its first statement. */
export const LOOK: Sql = { text: "SELECT 1 AS seen FROM sqlite_schema LIMIT 1", params: [] };

/** How many rows a connection has changed since it was opened. */
export const CHANGED_ROWS: Sql = { text: "SELECT total_changes() AS n", params: [] };

/**
 * A limit that is a bare parameter. SQLite looks at its value while it plans, and so compiles the statement anew each time
 * one is bound, which takes many times what a look-up does. Of an expression it does not.
 */
const BARE_LIMIT = /\bLIMIT \?/g;

/** How a connection waits for locks that others hold. */
export interface ConnectionOptions {
  /** Milliseconds that a statement waits, with the thread held. */
  readonly lockWait: number;
  /**
   * Milliseconds that opening waits, with the thread held: whoever closes a file last has it alone while the log is moved
   * into it. Default: as statements do.
   */
  readonly openingWait?: number;
  /** Whether it can only read. Default false. */
  readonly readOnly?: boolean;
  /** Whether long statements let others have the processor from time to time: on a thread that has time. Default false. */
  readonly givesWay?: boolean;
}

/** A prepared statement, and the columns that it answers; none where it answers no rows. */
interface Prepared {
  readonly statement: StatementSync;
  readonly columns: readonly string[];
  /** A row of nothing: rows that are copies of one object have a form that the engine knows again. */
  readonly blank: Row;
  /** Whether each row that it answers is one that it changed. */
  readonly answersChanges: boolean;
}

/** What a statement has that answers the rows that it changes. */
const RETURNING = /\breturning\b/i;

/** A connection. Every call runs at once, on this thread. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();
  #changedBefore = 0;

  // What is removed is overwritten at once (`secure_delete`): nobody can tell later what was in a page that is free.
  constructor(path: string, options: ConnectionOptions) {
    const { lockWait, openingWait = lockWait, readOnly = false, givesWay = false } = options;
    this.#database = new DatabaseSync(path, { timeout: openingWait, readOnly });
    this.#database.function(GIVE_WAY, givesWay ? givingWay() : () => 1);
    this.#database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${PAGE_CACHE};
      PRAGMA secure_delete = ON;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA busy_timeout = ${lockWait};
    `);
  }

  /** Whether the connection has not been closed. */
  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  /** Whether a transaction is open. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** How many rows it has changed since it was asked last, those of temporary tables among them. */
  takeChanged(): number {
    const [row] = this.run(CHANGED_ROWS).rows;
    const before = this.#changedBefore;
    this.#changedBefore = row === undefined ? before : numberOf(row, "n");
    return this.#changedBefore - before;
  }

  /** Runs a statement. */
  run({ text, params }: Sql): Answer {
    const prepared = this.#prepare(text);
    const { statement } = prepared;
    if (prepared.columns.length > 0) {
      const rows = statement.all(...params).map((values) => rowOf(prepared, values));
      return { rows, changes: prepared.answersChanges ? rows.length : 0 };
    }
    return { rows: NO_ANSWER.rows, changes: Number(statement.run(...params).changes) };
  }

  /** Runs a query, and reads each row when it is asked for. */
  *each({ text, params }: Sql): Iterable<Row> {
    const prepared = this.#prepare(text);
    for (const values of prepared.statement.iterate(...params)) yield rowOf(prepared, values);
  }

  /** Runs statements without parameters and rows. */
  exec(text: string): void {
    this.#database.exec(text);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text);
    if (known === undefined) return this.#remember(text);
    // The order of use matters only where statements have to make room.
    if (this.#statements.size > CACHED_STATEMENTS / 2) {
      this.#statements.delete(text);
      this.#statements.set(text, known);
    }
    return known;
  }

  #remember(text: string): Prepared {
    const statement = this.#database.prepare(text.replaceAll(BARE_LIMIT, "LIMIT CAST(? AS INTEGER)"));
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const blank = Object.fromEntries(columns.map((name) => [name, null]));
    const prepared = { statement, columns, blank, answersChanges: RETURNING.test(text) };
    this.#statements.set(text, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > CACHED_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }
}

/**
 * A row of the values of its columns. The objects that `node:sqlite` makes itself have no shape that the engine knows
 * again: to make one, and to read it, takes about twice as long.
 */
function rowOf({ columns, blank }: Prepared, values: Record<string, SqlValue>): Row {
  const row: Record<string, SqlValue> = { ...blank };
  let place = 0;
  // `columns.entries()` would take as long as all the rest of this.
  for (const name of columns) {
    row[name] = values[place] ?? null;
    place += 1;
  }
  return row;
}
