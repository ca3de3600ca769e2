/**
 * What the migrations come to in a new database, kept by the process: the next one that it makes gets the whole schema at
 * once. To lead it through each migration takes many times as long.
 * @module
 */
import type { Migration } from "../migrations.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { textOf } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";

/** What one list of migrations comes to, but for the ledger. */
interface Made {
  readonly texts: readonly string[];
  /** Statements that make tables and indexes. */
  readonly schema: string;
  /** Statements that add the rows that a new database has. */
  readonly rows: readonly Sql[];
}

/** Of the migrations that were applied last: a process has one list of them. */
let kept: Made | null = null;

/** Whether a database has nothing but the ledger. */
export function isNew(connection: SqliteConnection): boolean {
  return objectsOf(connection).length === 0;
}

/**
 * Brings a new database to what the same migrations came to in another one of this process, and tells whether there was
 * one. The ledger is left to the caller.
 */
export function makeAsBefore(connection: SqliteConnection, migrations: readonly Migration[]): boolean {
  if (kept === null || !isOf(kept, migrations)) return false;
  connection.exec(kept.schema);
  for (const row of kept.rows) connection.run(row);
  return true;
}

/** Keeps what these migrations have come to, in a database that was new. */
export function keepMade(connection: SqliteConnection, migrations: readonly Migration[]): void {
  const objects = objectsOf(connection);
  const tables = objects.filter(({ type }) => type === "table").map((row) => textOf(row, "name"));
  kept = {
    texts: migrations.map(({ text }) => text),
    schema: objects.map((row) => textOf(row, "sql")).join(";\n"),
    rows: tables.flatMap((name) => insertionsOf(connection, name)),
  };
}

/** Tables and indexes, those first that others are made of. */
function objectsOf(connection: SqliteConnection): ReturnType<SqliteConnection["run"]>["rows"] {
  return connection.run(
    sql`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'migrations' ORDER BY rowid`,
  ).rows;
}

/** The rows of a table. An instant in a new database is that of its making. */
function insertionsOf(connection: SqliteConnection, name: string): readonly Sql[] {
  const { rows } = connection.run({ text: `SELECT * FROM "${name}"`, params: [] });
  return rows.map((row) => {
    const values = Object.values(row);
    const places = values.map((value) => (isInstant(value) ? "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')" : "?"));
    return {
      text: `INSERT INTO "${name}" VALUES (${places.join(", ")})`,
      params: values.filter((value) => !isInstant(value)),
    };
  });
}

function isInstant(value: SqlValue): boolean {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);
}

function isOf({ texts }: Made, migrations: readonly Migration[]): boolean {
  return texts.length === migrations.length && migrations.every(({ text }, at) => text === texts[at]);
}
