/**
 * Brings a database to the schema of this program. The lock of the database makes it safe for several
 * processes to open one file at once: the first applies, the others find it done.
 * @module
 */
import { existsSync, renameSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import { numberOf, textOf } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";
import type { Migration } from "../migrations.ts";

/** A migration as the database remembers it. */
interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly oldestWriter: number;
}

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  number        INTEGER NOT NULL PRIMARY KEY,
  name          TEXT NOT NULL,
  checksum      TEXT NOT NULL,
  oldest_writer INTEGER NOT NULL,
  applied       TEXT NOT NULL
) STRICT`;

/**
 * Applies the migrations that a database lacks, all or none. A database that has some already is copied
 * first, to `<path>.before-<number>`.
 * @throws StoreError `migrationChanged`, `databaseTooNew`
 */
export function migrate(
  connection: SqliteConnection,
  { path, migrations }: { readonly path: string; readonly migrations: readonly Migration[] },
): void {
  connection.exec(LEDGER);
  const before = pendingMigrations(connection, migrations);
  if (before.length === 0) return;
  backUp(connection, path, before[0]?.number ?? 1);
  connection.exec("BEGIN IMMEDIATE");
  try {
    for (const migration of pendingMigrations(connection, migrations)) {
      connection.exec(migration.text);
      record(connection, migration);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function pendingMigrations(
  connection: SqliteConnection,
  migrations: readonly Migration[],
): readonly Migration[] {
  const applied = readLedger(connection);
  for (const row of applied) {
    const migration = migrations.find(({ number }) => number === row.number);
    if (migration === undefined) refuseNewer(row, migrations.length);
    else if (migration.checksum !== row.checksum) {
      throw new StoreError(
        "migrationChanged",
        `Migration ${row.name} reads differently from what was applied to the database. Run the program that applied it, or restore a backup.`,
      );
    }
  }
  return migrations.filter(({ number }) => !applied.some((row) => row.number === number));
}

/** A newer program went before. That is fine as long as its migrations allow this one to write. */
function refuseNewer(row: AppliedMigration, known: number): void {
  if (row.oldestWriter <= known) return;
  throw new StoreError(
    "databaseTooNew",
    `The database has migration ${row.name}, which this program must not write to. Run a newer program, or restore a backup.`,
  );
}

function readLedger(connection: SqliteConnection): readonly AppliedMigration[] {
  return connection
    .run(sql`SELECT number, name, checksum, oldest_writer FROM migrations ORDER BY number`)
    .rows.map((row) => ({
      number: numberOf(row, "number"),
      name: textOf(row, "name"),
      checksum: textOf(row, "checksum"),
      oldestWriter: numberOf(row, "oldest_writer"),
    }));
}

function record(connection: SqliteConnection, migration: Migration): void {
  connection.run(sql`INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
    VALUES (${migration.number}, ${migration.name}, ${migration.checksum}, ${migration.oldestWriter},
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`);
}

/** Copies the database beside itself, unless it is new or the copy is there. */
function backUp(connection: SqliteConnection, path: string, next: number): void {
  const target = `${path}.before-${String(next).padStart(4, "0")}`;
  if (next === 1 || path === ":memory:" || existsSync(target)) return;
  // Another process may make the same copy: each under a name of its own, the last one stays.
  const partial = `${target}.${process.pid}.partial`;
  connection.run(sql`VACUUM INTO ${partial}`);
  renameSync(partial, target);
}
