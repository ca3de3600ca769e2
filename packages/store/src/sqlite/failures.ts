/**
 * What SQLite says when it cannot serve, in words for whoever has to mend it.
 * @module
 */
import { lackOf, tablesOf } from "../missing-tables.ts";
import { unavailable } from "../unavailable.ts";
import { readMigrations } from "./migrations.ts";

/** Primary result codes of SQLite, and what each means for a caller. */
const FAILURES: ReadonlyMap<number, string> = new Map([
  [5, "The database is locked by another process. Try again."],
  [6, "The database is locked. Try again."],
  [7, "There is no memory left for the database."],
  [8, "The database is read-only: nothing can be written now."],
  [10, "The disk of the database reports an error."],
  // SQLite says the same of a file that is damaged and of a disk that fails to read it, which may pass.
  [11, "The disk cannot be read, or the database file is damaged: restore a backup if it stays so."],
  [13, "The database or its disk is full: nothing can be written now."],
  [14, "The database file cannot be opened."],
  [26, "The file is no SQLite database, or it is damaged: restore a backup."],
]);

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** Whether an error says that another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === SQLITE_BUSY;
}

/** SQLite's result codes for a database that takes no write: it is read-only, its disk fails, it or its disk is full. */
const REFUSALS: ReadonlySet<number> = new Set([8, 10, 13]);

/** What the system says in the same case, of what is flushed beside SQLite. */
const REFUSED_FLUSHES: ReadonlySet<unknown> = new Set(["EIO", "ENOSPC", "EDQUOT", "EROFS"]);

/** Whether an error says that the database takes no writes. */
export function isRefusal(error: unknown): boolean {
  return (
    REFUSALS.has(resultCode(error)) ||
    (error instanceof Error && "code" in error && REFUSED_FLUSHES.has(error.code))
  );
}

/** Whether an error says that the database or its disk is full. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === SQLITE_FULL;
}

/** Variants of an error of the disk: it takes no write, as where a file may be no longer; no folder takes temporary files. */
const UNWRITTEN: ReadonlySet<unknown> = new Set([778, 6410]);

/** Whether an error says that a file cannot be written: that of the database, or one for temporary tables and sorting. */
export function isUnwritten(error: unknown): boolean {
  return isFull(error) || (error instanceof Error && "errcode" in error && UNWRITTEN.has(error.errcode));
}

/** SQLite's result codes for a file that cannot be opened, or takes no write. */
const UNWRITABLE: ReadonlySet<number> = new Set([8, 14]);

/** Whether an error says that a file cannot be opened or written: those beside a database are written by who only reads it. */
export function needsWriting(error: unknown): boolean {
  return UNWRITABLE.has(resultCode(error));
}

/** What an error says of the database or its disk; null where it says something of the statement. */
export function failureOf(error: unknown): string | null {
  return FAILURES.get(resultCode(error)) ?? null;
}

/** SQLite's result codes for a file that is damaged, or is none of its own. */
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);

/** What an error says of a damaged file; null where it says something else. */
export function damageOf(error: unknown): string | null {
  return DAMAGES.has(resultCode(error)) ? failureOf(error) : null;
}

const NO_TABLE = /^no such table: (?:main\.)?(\w+)$/;

/** The table of the service that is not there; null for another error, and for a table of an application, which answers for it. */
function missingTable(error: unknown): string | null {
  const table = error instanceof Error ? NO_TABLE.exec(error.message)?.[1] : undefined;
  return table !== undefined && tablesOf(readMigrations()).includes(table) ? table : null;
}

/** The error `unavailable` where the database or its disk cannot serve, or lacks a table; another error as it is. */
export function orUnavailable(error: unknown): unknown {
  const table = missingTable(error);
  const failure = table === null ? failureOf(error) : lackOf(table);
  return failure === null ? error : unavailable(failure, error);
}

/** SQLite's result code for a full database or disk. */
const SQLITE_FULL = 13;

/** Variant of an error of the disk: the file beside the database that processes share found no room to grow. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** The primary result code of an error of SQLite; 0 for other errors. */
function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return 0;
  // That file is made anew at each start: on a full disk it is the first to find no room.
  if (error.errcode === SQLITE_IOERR_SHMSIZE) return SQLITE_FULL;
  // The low byte is the primary code, the rest tells variants apart.
  return error.errcode % 256;
}
