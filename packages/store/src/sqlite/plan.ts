/**
 * `scim migrate` on an SQLite file: what it would do, and doing it.
 * @module
 */
import { existsSync } from "node:fs";
import { type PlannedMigration, planMigrations, type TableWork } from "../migration-plan.ts";
import type { Migration } from "../migrations.ts";
import { sql } from "../sql.ts";
import { countOf, textOf } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { lookInto, prepareFile } from "./prepare-file.ts";

/** A file and how long to wait for locks on it. */
export interface SqliteMigrationOptions {
  readonly path: string;
  /** Milliseconds. Default 5000 (5 seconds). */
  readonly busyTimeout?: number;
  /** Default: those of this package. */
  readonly migrations?: readonly Migration[];
}

/** SQLite has one lock for all tables. */
const WHOLE = "the whole file: other writers wait, readers go on";
const LOCKS: Readonly<Record<TableWork, string>> = {
  index: WHOLE,
  set: WHOLE,
  alter: WHOLE,
  change: WHOLE,
  drop: WHOLE,
};

const DEFAULT_BUSY_TIMEOUT = 5000;

/**
 * Tells what migrating a file would do; it changes nothing.
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export async function planSqliteMigrations(
  options: SqliteMigrationOptions,
): Promise<readonly PlannedMigration[]> {
  const { path, busyTimeout = DEFAULT_BUSY_TIMEOUT, migrations = readMigrations() } = options;
  if (!existsSync(path)) return planMigrations(migrations, { tables: new Map(), locks: LOCKS });
  return lookInto(path, busyTimeout, (connection) =>
    planMigrations(pendingMigrations(connection, migrations), {
      tables: rowsByTable(connection),
      locks: LOCKS,
    }),
  );
}

/**
 * Applies the migrations that a file lacks, all or none, behind a copy of the file, and resolves to them.
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export async function migrateSqlite(options: SqliteMigrationOptions): Promise<readonly Migration[]> {
  const { path, busyTimeout = DEFAULT_BUSY_TIMEOUT, migrations = readMigrations() } = options;
  return prepareFile(path, busyTimeout, (connection) => migrate(connection, { path, migrations }));
}

function rowsByTable(connection: SqliteConnection): ReadonlyMap<string, number> {
  const { rows } = connection.run(sql`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  const names = rows.map((row) => textOf(row, "name")).filter((name) => /^[a-z_]+$/.test(name));
  // Names of tables are this package's own, and cannot be bound.
  return new Map(
    names.map((name) => [
      name,
      countOf(connection.run({ text: `SELECT count(*) AS n FROM ${name}`, params: [] }), "n"),
    ]),
  );
}
