/**
 * What `scim migrate` would do to a PostgreSQL database.
 * @module
 */
import type { Client } from "pg";
import { type PlannedMigration, planMigrations, type TableWork } from "../migration-plan.ts";
import type { Migration } from "../migrations.ts";
import { settleLayout } from "./find-layout.ts";
import { distributing, laidOut, type TableLayout } from "./layout.ts";
import { type MigrationTarget, pending, withClient } from "./migrate.ts";
import { readMigrations } from "./migrations.ts";
import { requireUnicode } from "./require-unicode.ts";

const LOCKS: Readonly<Record<TableWork, string>> = {
  index: "SHARE: writers of the table wait, readers go on",
  set: "SHARE UPDATE EXCLUSIVE: readers and writers go on",
  alter: "ACCESS EXCLUSIVE: readers and writers of the table wait",
  change: "ROW EXCLUSIVE: only writers of the same rows wait",
  drop: "ACCESS EXCLUSIVE: readers and writers of the table wait",
};

/**
 * Tells what migrating a database would do; it changes nothing, and refuses what migrating would refuse. All pending
 * migrations run in one transaction, so that each lock is held until the last has run.
 * @throws StoreError `migrationChanged`, `databaseTooNew`, `databaseUnusable`
 */
export function planPostgresMigrations(target: MigrationTarget): Promise<readonly PlannedMigration[]> {
  const { url, migrations = readMigrations() } = target;
  return withClient(url, async (client) => {
    const lacking = await pending(client, migrations);
    if (target.layout !== undefined) await settleLayout(client, target.layout);
    if (lacking.length === migrations.length) await requireUnicode(client);
    return planMigrations(lacking, { tables: await rowsByTable(client), locks: LOCKS });
  });
}

/**
 * The statements by which migrations lay out what they make, for people to read before they run: no database is asked.
 * @param lacking those that are planned. Default: all, as for a new database
 */
export function layoutStatements(
  layout: TableLayout,
  lacking: readonly Pick<Migration, "number">[] = readMigrations(),
): readonly string[] {
  const numbers = new Set(lacking.map(({ number }) => number));
  const planned = readMigrations().filter(({ number }) => numbers.has(number));
  return planned.flatMap(({ text }) => {
    if (layout.kind === "citus") return distributing(text);
    return [...laidOut(text, layout).matchAll(/^CREATE TABLE \w+_p\d+ PARTITION OF [^;]*;/gm)].map(
      ([statement]) => statement,
    );
  });
}

/** As the planner of the database estimates them; -1 stands for never counted. */
async function rowsByTable(client: Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; estimate: number }>(
    `SELECT c.relname AS name, CAST(greatest(coalesce(sum(p.reltuples), c.reltuples), 0) AS float8) AS estimate
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_inherits i ON i.inhparent = c.oid
     LEFT JOIN pg_class p ON p.oid = i.inhrelid
     WHERE c.relkind IN ('r', 'p') AND n.nspname = current_schema()
     GROUP BY c.oid, c.relname, c.reltuples`,
  );
  return new Map(rows.map(({ name, estimate }) => [name, estimate]));
}
