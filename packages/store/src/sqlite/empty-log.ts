/**
 * Takes old content out of the write-ahead log of a database file.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "../sql.ts";
import { numberOf } from "../steps.ts";
import { SqliteConnection } from "./connection.ts";

/** How often it is tried, and milliseconds between two tries: readers of an older state hold it up. */
const TRIES = 100;
const PAUSE_MS = 50;

/**
 * Moves the log into the database and cuts it to nothing. Resolves to false where readers hold it up for longer: then it is
 * to be tried again.
 */
export async function emptyLog(path: string): Promise<boolean> {
  const connection = new SqliteConnection(path, { lockWait: 0 });
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const [row] = connection.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`).rows;
      if (row === undefined || numberOf(row, "busy") === 0) return true;
      await delay(PAUSE_MS);
    }
    return false;
  } finally {
    connection.close();
  }
}
