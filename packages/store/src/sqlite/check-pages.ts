/**
 * Whether all pages of a database file are sound. Opening a database, and what servers ask of it, reads few of them.
 * @module
 */
import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import { textOf } from "../steps.ts";
import { SqliteConnection } from "./connection.ts";
import { damageOf, failureOf } from "./failures.ts";

/** What the pages of a file are found to be. */
export interface CheckedPages {
  /** Size of the file. */
  readonly bytes: number;
  /** What is wrong, in SQLite's words, at most 100 faults: none of them holds a value. */
  readonly faults: readonly string[];
}

/** Milliseconds that the check waits for a lock. */
const LOCK_WAIT = 5000;

/**
 * Reads every page of a database file, and compares indexes with what they are of. It changes nothing; servers read and write
 * meanwhile, though their log grows until it is done. The thread is held: call it where nothing else runs.
 * @throws StoreError `databaseUnusable` where it cannot be read, for another reason than that it is damaged
 */
export function checkSqlitePages(path: string): CheckedPages {
  try {
    return { bytes: statSync(path).size, faults: faultsOf(path) };
  } catch (error) {
    const reason = failureOf(error) ?? (error instanceof Error ? error.message : String(error));
    throw new StoreError("databaseUnusable", `${path} cannot be read: ${reason.replace(/\.$/, "")}`, error);
  }
}

function faultsOf(path: string): readonly string[] {
  let database: SqliteConnection | null = null;
  try {
    database = new SqliteConnection(path, { lockWait: LOCK_WAIT, readOnly: true });
    return integrityFaults(database);
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    return [damage];
  } finally {
    database?.close();
  }
}

/** What SQLite finds wrong with a database: faults of one tree come as lines of one answer, under the name of the database. */
export function integrityFaults(database: SqliteConnection): readonly string[] {
  const { rows } = database.run(sql`PRAGMA integrity_check(100)`);
  const lines = rows.flatMap((row) => textOf(row, "integrity_check").split("\n"));
  return lines.filter((line) => line !== "ok" && !line.startsWith("***")).slice(0, 100);
}
