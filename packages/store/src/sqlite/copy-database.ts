/**
 * Copies a database while it is in use.
 * @module
 */
import { closeSync, openSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import type { SqliteConnection } from "./connection.ts";
import { failureOf } from "./failures.ts";
import { flush, partialCopyOf, removePartialCopy } from "./partial-copies.ts";

/**
 * Copies one state of a database to a file that is there whole or not at all; one that bears the name already is
 * replaced. Reads and writes go on meanwhile. Only the owner may read the copy, whose time of change is that of its state.
 * @param isWanted asked when it is made, before it bears the name. Default: it is.
 * @throws StoreError `databaseUnusable` where it cannot be written: the disk is full, for one
 */
export function copyDatabase(
  connection: SqliteConnection,
  target: string,
  isWanted: () => boolean = () => true,
): void {
  // Of processes that make the same copy, the last one's stays.
  const partial = partialCopyOf(target);
  try {
    closeSync(openSync(partial, "w", 0o600));
    const state = new Date();
    connection.run(sql`VACUUM INTO ${partial}`);
    if (!isWanted()) {
      removePartialCopy(partial);
      return;
    }
    utimesSync(partial, state, state);
    // What is changed next is durable: so is the copy of before.
    flush(partial);
    renameSync(partial, target);
    flush(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true, recursive: true });
    const reason = failureOf(error) ?? String(error);
    throw new StoreError("databaseUnusable", `The database cannot be copied to ${target}. ${reason}`, error);
  }
}

/** Milliseconds that the times of files are behind the clock at most. */
const COARSE_MS = 1000;

/** Whether a copy is there, and nothing was written to the files of its database since. */
export function isCurrent(copy: string, path: string): boolean {
  // An empty write-ahead log is made whenever the database is opened.
  const timeOf = (file: string): number => {
    const { size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return size === 0 ? 0 : mtimeMs;
  };
  const state = timeOf(copy);
  return state > 0 && [path, `${path}-wal`].every((file) => timeOf(file) + COARSE_MS < state);
}
