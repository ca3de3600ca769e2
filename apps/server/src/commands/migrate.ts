/**
 * `scim migrate`: brings the schema of the database up to date, or says what that would do.
 * @module
 */
import type { PlannedMigration, TableLayout } from "@scim/store/postgres";
import { migrateSqlite, planSqliteMigrations } from "@scim/store/sqlite";
import { counted } from "../progress/progress.ts";
import { usable } from "../store/database.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, type Reader, tell } from "../output.ts";
import { columns } from "../columns.ts";
import { missingDatabase } from "../settings/database-address.ts";
import type { Settings } from "../settings/table.ts";
import { wholeNumberFlag } from "../value-flags.ts";

/** The flags of `scim migrate`, as they were given. */
export interface MigrateFlags extends Reader {
  readonly plan?: boolean;
  readonly partitions?: string;
  readonly distribute?: string;
}

/** Applies what the database lacks, or prints it. */
export async function migrate(settings: Settings, flags: MigrateFlags): Promise<ExitCode> {
  const layout = layoutOf(flags);
  const { databaseUrl } = settings;
  if (databaseUrl.kind === "sqlite" && databaseUrl.path === ":memory:")
    throw new CommandFailure(EXIT.usage, "A database in memory has nothing to migrate.");
  if (databaseUrl.kind === "sqlite" && layout !== undefined)
    throw new CommandFailure(EXIT.usage, "--partitions and --distribute are for PostgreSQL.");
  const database = databaseUrl.kind === "sqlite" ? sqlite(settings) : await postgres(databaseUrl.url, layout);
  if (flags.plan === true) {
    const missing = missingDatabase(databaseUrl);
    if (missing !== null) tell(flags, `There is no database at ${missing}: it would be made.`);
    const planned = await usable(database.plan);
    return printPlan(flags, planned, database.layoutStatements(planned));
  }
  const applied = await usable(database.apply);
  const names = applied.map(({ name }) => name);
  const lines = names.length === 0 ? [NOTHING_TO_DO] : names.map((name) => `applied ${name}`);
  return print(flags, { applied: names }, lines.join("\n"));
}

const NOTHING_TO_DO = "There is nothing to do: the schema is up to date.";

/** What the command does to a database. */
interface Migrating {
  readonly plan: () => Promise<readonly PlannedMigration[]>;
  readonly apply: () => Promise<readonly { readonly name: string }[]>;
  /** What a layout adds to migrations that are planned. */
  readonly layoutStatements: (planned: readonly PlannedMigration[]) => readonly string[];
}

function sqlite({ databaseUrl, "sqlite.busyTimeout": busyTimeout }: Settings): Migrating {
  const options = { path: databaseUrl.kind === "sqlite" ? databaseUrl.path : "", busyTimeout };
  return {
    plan: () => planSqliteMigrations(options),
    apply: () => migrateSqlite(options),
    layoutStatements: () => [],
  };
}

async function postgres(url: string, layout: TableLayout | undefined): Promise<Migrating> {
  const { layoutStatements, migratePostgres, planPostgresMigrations } = await import("@scim/store/postgres");
  const target = { url, ...(layout === undefined ? {} : { layout }) };
  return {
    plan: () => planPostgresMigrations(target),
    apply: () => migratePostgres(target),
    layoutStatements: (planned) => (layout === undefined ? [] : layoutStatements(layout, planned)),
  };
}

/** Greatest number of partitions: the planner looks at each for a statement without tenant. */
const MOST_PARTITIONS = 1024;

function layoutOf({ partitions, distribute }: MigrateFlags): TableLayout | undefined {
  if (partitions !== undefined && distribute !== undefined)
    throw new CommandFailure(EXIT.usage, "--partitions and --distribute exclude each other.");
  if (distribute !== undefined) {
    if (distribute === "citus") return { kind: "citus" };
    throw new CommandFailure(EXIT.usage, "--distribute must be citus.");
  }
  if (partitions === undefined) return undefined;
  const count = wholeNumberFlag("partitions", partitions, { least: 2, most: MOST_PARTITIONS });
  return { kind: "partitions", count };
}

function printPlan(
  flags: MigrateFlags,
  planned: readonly PlannedMigration[],
  layout: readonly string[],
): ExitCode {
  const lines =
    planned.length === 0 ? [NOTHING_TO_DO] : [...planLines(planned, layout), endOf(planned, flags)];
  return print(flags, { pending: planned, layout }, lines.join("\n"));
}

/** A new database keeps the layout that it is made with: what applies the plan says it again. */
function endOf(planned: readonly PlannedMigration[], { partitions, distribute }: MigrateFlags): string {
  const asked = [
    ...(partitions === undefined ? [] : [` --partitions ${partitions}`]),
    ...(distribute === undefined ? [] : [` --distribute ${distribute}`]),
  ];
  return `${planned.length} pending, in one transaction; apply with: scim migrate${asked.join("")}`;
}

function planLines(planned: readonly PlannedMigration[], layout: readonly string[]): readonly string[] {
  return [
    ...planned.flatMap(migrationLines),
    ...(layout.length === 0 ? [] : ["and lays the tables out:", ...layout.map((each) => `  ${each}`)]),
  ];
}

function migrationLines({ name, makes, steps }: PlannedMigration): readonly string[] {
  const locks = steps.map(({ statement, table, rows, lock }) => [
    `  ${statement}`,
    `${table} (${counted(rows, "row")})`,
    lock,
  ]);
  return [
    name,
    ...(makes.length === 0 ? [] : [`  makes ${makes.join(", ")}`]),
    ...(locks.length === 0 ? [] : [columns(locks)]),
    ...(makes.length === 0 && locks.length === 0 ? ["  locks no table that holds something"] : []),
  ];
}
