/**
 * One connection to an SQLite database, with its prepared statements.
 * @module
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Sql } from "../sql.ts";
import { type Answer, NO_ANSWER } from "../steps.ts";

/** Statements that a connection keeps prepared. */
const CACHED_STATEMENTS = 256;

/** Page cache of a connection, in KiB; filled on use. */
const PAGE_CACHE = 32_768;

/**
 * Pages in the write-ahead log before they are moved into the database: 32 MiB. Pages that change often are
 * then moved once for many changes.
 */
const CHECKPOINT_PAGES = 8192;

/** How a connection waits for locks that others hold. */
export interface ConnectionOptions {
  /** Milliseconds that a statement waits, with the thread held. */
  readonly lockWait: number;
}

/** A prepared statement, and whether it answers rows. */
interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/** A connection. Every call runs at once, on this thread. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, options: ConnectionOptions) {
    this.#database = new DatabaseSync(path, { timeout: options.lockWait });
    this.#database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${PAGE_CACHE};
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
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

  /** Runs a statement. */
  run({ text, params }: Sql): Answer {
    const { statement, hasRows } = this.#prepare(text);
    if (hasRows) return { rows: statement.all(...params), changes: 0 };
    return { rows: NO_ANSWER.rows, changes: Number(statement.run(...params).changes) };
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
    if (known === undefined) return this.#remember(text, this.#database.prepare(text));
    // The order of use matters only where statements have to make room.
    if (this.#statements.size > CACHED_STATEMENTS / 2) {
      this.#statements.delete(text);
      this.#statements.set(text, known);
    }
    return known;
  }

  #remember(text: string, statement: StatementSync): Prepared {
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(text, prepared);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > CACHED_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return prepared;
  }
}

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** Whether an error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  // The low byte is the primary code, the rest tells variants apart.
  return error.errcode % 256 === SQLITE_BUSY;
}
