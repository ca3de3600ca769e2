/**
 * Copies a database while it is in use.
 * @module
 */
import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import type { SqliteConnection } from "./connection.ts";
import { failureOf } from "./failures.ts";
import { partialCopyOf, removeAbandonedCopies } from "./partial-copies.ts";

/**
 * Copies one state of a database to a file that is there whole or not at all; one that bears the name already is
 * replaced. Reads and writes go on meanwhile. Only the owner may read the copy.
 * @throws StoreError `databaseUnusable` where it cannot be written: the disk is full, for one
 */
export function copyDatabase(connection: SqliteConnection, target: string): void {
  // Of processes that make the same copy, the last one's stays.
  const partial = partialCopyOf(target);
  try {
    removeAbandonedCopies(target);
    closeSync(openSync(partial, "w", 0o600));
    connection.run(sql`VACUUM INTO ${partial}`);
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true, recursive: true });
    const reason = failureOf(error) ?? String(error);
    throw new StoreError("databaseUnusable", `The database cannot be copied to ${target}. ${reason}`, error);
  }
}
