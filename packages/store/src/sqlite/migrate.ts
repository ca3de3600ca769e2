/**
 * Brings a database to the schema of this program. The lock of the database makes it safe for several
 * processes to open one file at once: the first applies, the others find it done.
 * @module
 */
import { basename, dirname } from "node:path";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import type { SqliteConnection } from "./connection.ts";
import { copyDatabase } from "./copy-database.ts";
import { isNew, keepMade, makeAsBefore } from "./made-before.ts";
import { removeAbandonedCopies } from "./partial-copies.ts";
import {
  alreadyMade,
  type AppliedMigration,
  appliedMigrationOf,
  foreignLedger,
  lackingMigrations,
  type Migration,
} from "../migrations.ts";

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  number        INTEGER NOT NULL PRIMARY KEY,
  name          TEXT NOT NULL,
  checksum      TEXT NOT NULL,
  oldest_writer INTEGER NOT NULL,
  applied       TEXT NOT NULL
) STRICT`;

/** What a database is brought to. */
export interface MigrationTarget {
  /** Path of the database file. */
  readonly path: string;
  readonly migrations: readonly Migration[];
}

/**
 * Applies the migrations that a database lacks, all or none. A database that has some already is copied
 * first, to `<path>.before-<number>`, also where an attempt that failed has done so: something may have been written since.
 * @returns those that were applied here, and not by another process in the meantime
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export function migrate(
  connection: SqliteConnection,
  { path, migrations }: MigrationTarget,
): readonly Migration[] {
  removeAbandonedCopiesOf(path);
  const before = pendingMigrations(connection, migrations);
  if (before.length === 0) return [];
  backUp(connection, { path, migrations }, before[0]?.number ?? 1);
  connection.exec("BEGIN IMMEDIATE");
  try {
    connection.exec(LEDGER);
    const lacking = pendingMigrations(connection, migrations);
    applyAll(connection, lacking, lacking.length === migrations.length && isNew(connection));
    for (const migration of lacking) record(connection, migration);
    connection.exec("COMMIT");
    return lacking;
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function applyAll(connection: SqliteConnection, migrations: readonly Migration[], toNew: boolean): void {
  if (toNew && makeAsBefore(connection, migrations)) return;
  for (const migration of migrations) apply(connection, migration);
  if (toNew) keepMade(connection, migrations);
}

/** SQLite has one code for all errors of statements. */
const MADE_ALREADY = /^duplicate column name: |^(?:table|index|trigger|view) \S+ already exists$/;

function apply(connection: SqliteConnection, migration: Migration): void {
  try {
    connection.exec(migration.text);
  } catch (error) {
    throw error instanceof Error && MADE_ALREADY.test(error.message) ? alreadyMade(migration, error) : error;
  }
}

/**
 * Makes sure that a database lacks no migration; it changes nothing.
 * @throws StoreError `migrationPending`, `migrationChanged`, `databaseTooNew`
 */
export function refusePending(connection: SqliteConnection, { path, migrations }: MigrationTarget): void {
  const names = pendingMigrations(connection, migrations).map(({ name }) => name);
  if (names.length === 0) return;
  throw new StoreError(
    "migrationPending",
    `The database ${path} lacks ${names.join(", ")}; bring its schema up to date with: scim migrate`,
  );
}

/**
 * The migrations that a database lacks, in order.
 * @throws StoreError `migrationChanged`, `databaseTooNew`
 */
export function pendingMigrations(
  connection: SqliteConnection,
  migrations: readonly Migration[],
): readonly Migration[] {
  return lackingMigrations(readLedger(connection), migrations);
}

function readLedger(connection: SqliteConnection): readonly AppliedMigration[] {
  if (!hasLedger(connection)) return [];
  try {
    return connection
      .run(sql`SELECT number, name, checksum, oldest_writer FROM migrations ORDER BY number`)
      .rows.map(appliedMigrationOf);
  } catch (error) {
    throw error instanceof Error && NO_COLUMN.test(error.message) ? foreignLedger(error) : error;
  }
}

const NO_COLUMN = /^no such column: /;

function hasLedger(connection: SqliteConnection): boolean {
  const { rows } = connection.run(
    sql`SELECT 1 AS n FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'`,
  );
  return rows.length > 0;
}

function record(connection: SqliteConnection, migration: Migration): void {
  connection.run(sql`INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
    VALUES (${migration.number}, ${migration.name}, ${migration.checksum}, ${migration.oldestWriter},
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`);
}

/**
 * Removes what processes that were killed left of copies, also where another has applied the migrations since: no copy comes
 * to these names any more.
 */
function removeAbandonedCopiesOf(path: string): void {
  const start = `${basename(path)}${BEFORE}`;
  if (path !== ":memory:") removeAbandonedCopies(dirname(path), (name) => name.startsWith(start));
}

/** What the name of a copy has between that of the database and the number of the first migration to come. */
const BEFORE = ".before-";

/** Copies the database beside itself, unless it is new. */
function backUp(connection: SqliteConnection, { path, migrations }: MigrationTarget, next: number): void {
  const target = `${path}${BEFORE}${String(next).padStart(4, "0")}`;
  if (next === 1 || path === ":memory:") return;
  // Another process may have migrated meanwhile, and made the copy before it did.
  const isBefore = (): boolean => pendingMigrations(connection, migrations)[0]?.number === next;
  copyDatabase(connection, target, isBefore);
}
