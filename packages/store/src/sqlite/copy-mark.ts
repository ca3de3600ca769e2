/**
 * Marks by which a copy is known for one of the same database. Each copy gives the database a new one and holds it: the
 * mark of a database is that of its last copy, and a database that was put back bears another.
 * @module
 */
import { randomInt } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, renameSync } from "node:fs";
import { sql } from "../sql.ts";
import { numberOf } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";

/** Place of `user_version`, which SQLite leaves to its users, in the header of a file. */
const MARK_PLACE = 60;
const MARK_BYTES = 4;
/** Marks are less, and greater than 0, which a database has that was never marked. */
const MARKS = 2 ** 31 - 1;

/** Gives a database a new mark, which the next copy holds. Answers the one that it had; 0 for none. */
export function renewMark(connection: SqliteConnection): number {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const [row] = connection.run(sql`PRAGMA user_version`).rows;
    connection.exec(`PRAGMA user_version = ${randomInt(1, MARKS)}`);
    connection.exec("COMMIT");
    return row === undefined ? 0 : numberOf(row, "user_version");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Gives the name of a copy free where another database bears it, which may be all that is left of that: its name gets a
 * number. A copy of the same database may be replaced, since the database has all that it has.
 * @param made the new copy, which does not bear the name yet
 * @param before mark of the database before it was copied
 */
export function setOthersAside(target: string, made: string, before: number): void {
  if (!existsSync(target)) return;
  const mark = markOf(target);
  // Of processes that copy at once, each may find the mark of the other.
  if (mark !== 0 && (mark === before || mark === markOf(made))) return;
  let number = 1;
  while (existsSync(`${target}.${number}`)) number += 1;
  renameSync(target, `${target}.${number}`);
}

/** The mark of a file; 0 for none. */
function markOf(path: string): number {
  const file = openSync(path, "r");
  try {
    const mark = Buffer.alloc(MARK_BYTES);
    return readSync(file, mark, 0, MARK_BYTES, MARK_PLACE) === MARK_BYTES ? mark.readUInt32BE() : 0;
  } finally {
    closeSync(file);
  }
}
