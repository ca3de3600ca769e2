/**
 * Copies a database while it is in use.
 * @module
 */
import { closeSync, openSync, renameSync, rmSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import type { SqliteConnection } from "./connection.ts";
import { renewMark, setOthersAside } from "./copy-mark.ts";
import { failureOf } from "./failures.ts";
import { flush, flushFolder } from "./folders.ts";
import { partialCopyOf, removePartialCopy } from "./partial-copies.ts";

/**
 * Copies one state of a database to a file that is there whole or not at all. An earlier copy of the same database that bears
 * the name is replaced; one of another database stays, with a number behind its name. Reads and writes go on meanwhile. Only
 * the owner may read the copy, whose time of change is that of its state.
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
    const before = renewMark(connection);
    const state = new Date();
    connection.run(sql`VACUUM INTO ${partial}`);
    if (!isWanted()) {
      removePartialCopy(partial);
      return;
    }
    utimesSync(partial, state, state);
    // What is changed next is durable: so is the copy of before.
    flush(partial);
    setOthersAside(target, partial, before);
    renameSync(partial, target);
    flushFolder(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true, recursive: true });
    const reason = failureOf(error) ?? String(error);
    throw new StoreError("databaseUnusable", `The database cannot be copied to ${target}. ${reason}`, error);
  }
}
