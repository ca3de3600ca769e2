/**
 * Keeps two runs from using one state at a time: a file beside it that SQLite locks. The system lets go of the lock with its
 * process, however that ends, and so nobody has to tell a lock that was left from one that is held.
 * @module
 */
import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import { StateError, unwritable } from "./state-error.ts";

/** A lock that is held. */
export interface StateLock {
  /** Lets it go. The file stays: whoever removed it could take it from under one who waits for it. */
  release(): void;
}

/** SQLite's result code for a file that another connection holds. */
const SQLITE_BUSY = 5;

/**
 * Takes the lock of a state.
 * @throws {@link StateError} where another run holds it, or it cannot be written
 */
export function lockState(path: string): StateLock {
  const file = `${path}.lock`;
  const database = inFile(file, () => {
    // Loaded by whoever needs it alone: some programs that have this package know no SQLite.
    const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
    return new Database(file, { timeout: 0 });
  });
  try {
    database.exec("begin exclusive");
  } catch (cause) {
    database.close();
    if (isBusy(cause)) throw new StateError("inUse", `Another run uses ${path}: wait for it.`, cause);
    throw unwritable(file, cause);
  }
  return { release: () => database.close() };
}

function inFile(file: string, open: () => DatabaseSync): DatabaseSync {
  try {
    return open();
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY;
}
