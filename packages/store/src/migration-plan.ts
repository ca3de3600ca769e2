/**
 * What a migration would do to tables that hold something: which it locks, and how many rows they have.
 * @module
 */
import type { Migration } from "./migrations.ts";

/** What a statement does to a table that is there already. */
export type TableWork = "index" | "set" | "alter" | "change" | "drop";

/** One statement of a migration on a table that is there already. */
export interface PlannedStep {
  /** Its beginning: `CREATE INDEX resources_tombstones`. */
  readonly statement: string;
  readonly table: string;
  /** What it locks, and who waits meanwhile. */
  readonly lock: string;
  /** Rows of the table; an estimate where the database keeps one. */
  readonly rows: number;
}

/** A migration that a database lacks. */
export interface PlannedMigration {
  readonly number: number;
  readonly name: string;
  /** Tables that it makes. */
  readonly makes: readonly string[];
  /** What it does to tables that are there already. */
  readonly steps: readonly PlannedStep[];
}

/** What is known of a database. */
export interface PlanSetting {
  /** Rows by table. */
  readonly tables: ReadonlyMap<string, number>;
  readonly locks: Readonly<Record<TableWork, string>>;
}

/** The forms of statements in migrations: what each does, and to which table. */
const FORMS: readonly (readonly [RegExp, TableWork])[] = [
  [/^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (?<table>\w+)/i, "index"],
  [/^ALTER TABLE (?<table>\w+) SET \(/i, "set"],
  [/^ALTER TABLE (?<table>\w+)/i, "alter"],
  [/^DROP TABLE (?:IF EXISTS )?(?<table>\w+)/i, "drop"],
  [/^(?:INSERT INTO|UPDATE|DELETE FROM) (?<table>\w+)/i, "change"],
];

const CREATE_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?(?<table>\w+)/i;

/** Tells what migrations would do to a database. */
export function planMigrations(
  migrations: readonly Migration[],
  { tables, locks }: PlanSetting,
): readonly PlannedMigration[] {
  return migrations.map(({ number, name, text }) => {
    const statements = statementsOf(text);
    const makes = statements.flatMap((statement) => CREATE_TABLE.exec(statement)?.groups?.["table"] ?? []);
    const steps = statements.flatMap((statement) => {
      const [table, work] = workOf(statement);
      const rows = tables.get(table);
      if (work === null || rows === undefined) return [];
      return [{ statement: beginningOf(statement), table, lock: locks[work], rows }];
    });
    return { number, name, makes, steps };
  });
}

/** The statements of a migration, without comments, each on one line. */
export function statementsOf(text: string): readonly string[] {
  return text
    .replaceAll(/--[^\n]*/g, "")
    .split(";")
    .map((statement) => statement.trim().replaceAll(/\s+/g, " "))
    .filter((statement) => statement !== "");
}

function workOf(statement: string): readonly [string, TableWork | null] {
  for (const [form, work] of FORMS) {
    const table = form.exec(statement)?.groups?.["table"];
    if (table !== undefined) return [table, work];
  }
  return ["", null];
}

/** Enough of a statement to know it by: up to the table or the index that it names. */
function beginningOf(statement: string): string {
  return (
    /^(?:CREATE (?:UNIQUE )?INDEX|ALTER TABLE|DROP TABLE|INSERT INTO|UPDATE|DELETE FROM) \w+/i.exec(
      statement,
    )?.[0] ?? ""
  );
}
