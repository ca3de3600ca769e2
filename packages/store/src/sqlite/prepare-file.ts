/**
 * Makes a database file ready to be opened: its journal and its schema, while other processes may do the same.
 * @module
 */
import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StoreError } from "../errors.ts";
import { SqliteConnection } from "./connection.ts";
import { damageOf, failureOf, isBusy, isFull } from "./failures.ts";
import { fileBeside } from "./files-beside.ts";
import { makeFolder } from "./folders.ts";

const READ_AND_WRITE = constants.R_OK | constants.W_OK;

/** Milliseconds between two tries to take a lock that is refused without waiting. */
const LOCK_WAIT = 5;

/**
 * Opens a file, made where it does not exist, sets its journal and does what a caller wants on it.
 * @param busyTimeout milliseconds to wait for locks of others
 * @param work may run again where a lock was not to be had
 * @throws StoreError `databaseUnusable`, and what `work` throws of its own
 */
export async function prepareFile<Result>(
  path: string,
  busyTimeout: number,
  work: (connection: SqliteConnection) => Result,
): Promise<Result> {
  createFile(path);
  for (const ending of ["-wal", "-shm"] as const) requireWritable(fileBeside(path, ending));
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      return onFile(path, busyTimeout, work);
    } catch (error) {
      // Some locks of switching the journal are refused without waiting.
      if (!isBusy(error) || performance.now() > deadline) throw unusable(path, error);
    }
    await delay(LOCK_WAIT);
  }
}

/**
 * Opens a file that is there and does what a caller wants on it, which only reads. The file stays as it is, its journal too.
 * @param busyTimeout milliseconds to wait for locks of others
 * @throws StoreError `databaseUnusable`, and what `work` throws of its own
 */
export function lookInto<Result>(
  path: string,
  busyTimeout: number,
  work: (connection: SqliteConnection) => Result,
): Result {
  try {
    return over(new SqliteConnection(path, { lockWait: busyTimeout }), work);
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Only the owner may read a new file: it holds personal data. SQLite gives its side files the same mode. One that is there is asked
 * for, not opened: to close it would end the locks of whoever has it open in this process, and another process could then take
 * its log away.
 */
function createFile(path: string): void {
  try {
    makeFolder(dirname(path));
    if (existsSync(path)) requireFile(path);
    else closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new StoreError(
      "databaseUnusable",
      `The database file ${path} cannot be opened for writing: ${error instanceof Error ? error.message : String(error)}`,
      error,
    );
  }
}

function requireFile(path: string): void {
  if (statSync(path).isDirectory()) throw new TypeError("it is a folder, name a file in it");
  accessSync(path, READ_AND_WRITE);
}

/**
 * A file beside the database that takes no writes makes the database read-only, and SQLite names neither. One stays where a
 * database that was read-only itself was looked into. It is asked for, as the database is.
 */
function requireWritable(beside: string): void {
  try {
    accessSync(beside, READ_AND_WRITE);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw new StoreError(
      "databaseUnusable",
      `The file ${beside} cannot be opened for writing: let the user of this program read and write it`,
      error,
    );
  }
}

function onFile<Result>(
  path: string,
  lockWait: number,
  work: (connection: SqliteConnection) => Result,
): Result {
  return over(new SqliteConnection(path, { lockWait }), (connection) => {
    connection.exec("PRAGMA journal_mode = WAL");
    return work(connection);
  });
}

function over<Result>(connection: SqliteConnection, work: (connection: SqliteConnection) => Result): Result {
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

/** What the reason leaves open. */
function remedyOf(error: unknown): string {
  if (isFull(error)) return ` ${MAKE_ROOM}`;
  return damageOf(error) === null ? "" : ` ${PUT_BACK}`;
}

/** What was written behind a backup would be written into it. */
const PUT_BACK = "And a backup that is put in its place needs the files -wal and -shm beside it removed.";

const MAKE_ROOM =
  "To open it, for reading too, SQLite needs some 100 KiB for the files -wal and -shm beside it: make room.";

function unusable(path: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const reason = failureOf(error) ?? (error instanceof Error ? `${error.message}.` : String(error));
  return new StoreError(
    "databaseUnusable",
    `The database ${path} cannot be used. ${`${reason}${remedyOf(error)}`.slice(0, -1)}`,
    error,
  );
}
