import { queryOnce } from "@scim/fixtures/postgres";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { releases } from "@scim/fixtures/releases";
import { expect, test } from "vitest";
import { migratePostgres, readMigrations as readPostgresMigrations } from "../src/postgres/index.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { migrate } from "../src/sqlite/migrate.ts";
import { readMigrations } from "../src/sqlite/migrations.ts";
import { bareDatabase } from "./support/engines.ts";
import { newFile, newFolder, open } from "./support/folders.ts";

const run = promisify(execFile);

/** Tables, indexes and the rest as SQLite keeps them, and what the ledger says. */
function schemaOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const schema = database
      .prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
      .all()
      .map((row) => ({ ...row, sql: String(row["sql"]).replaceAll(/\s+/g, " ") }));
    const ledger = database
      .prepare("SELECT number, name, checksum, oldest_writer FROM migrations ORDER BY number")
      .all();
    return { schema, ledger };
  } finally {
    database.close();
  }
}

async function freshSchema(): Promise<unknown> {
  const path = newFile();
  await (await open(path)).close();
  return schemaOf(path);
}

test.each(releases())(
  "SQLite: what $name made and the present program migrated is what the present program makes",
  async ({ program }) => {
    const folder = newFolder();
    await run(process.execPath, [program, "token", "list"], { cwd: folder });
    const path = join(folder, "data/scim.db");
    const before = schemaOf(path);
    await (await open(path)).close();
    const fresh = await freshSchema();
    expect(schemaOf(path)).toEqual(fresh);
    expect(before).not.toEqual(fresh);
  },
);

test("SQLite: one migration after another leads to the same as all at once", async () => {
  const path = newFile();
  const migrations = readMigrations();
  for (const { number } of migrations) {
    const connection = new SqliteConnection(path, { lockWait: 0 });
    migrate(connection, { path, migrations: migrations.slice(0, number) });
    connection.close();
  }
  expect(schemaOf(path)).toEqual(await freshSchema());
});

/** Columns, constraints and indexes as PostgreSQL keeps them, and what the ledger says. */
async function postgresSchema(url: string): Promise<unknown> {
  const columns = await queryOnce(
    url,
    `SELECT table_name, ordinal_position, column_name, data_type, is_nullable, column_default, collation_name
     FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
  );
  const constraints = await queryOnce(
    url,
    `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  const indexes = await queryOnce(
    url,
    "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
  );
  const ledger = await queryOnce(
    url,
    "SELECT number, name, checksum, oldest_writer FROM migrations ORDER BY number",
  );
  return { columns, constraints, indexes, ledger };
}

test("PostgreSQL: one migration after another leads to the same as all at once", async () => {
  const [stepwise, atOnce] = [await bareDatabase(), await bareDatabase()];
  const migrations = readPostgresMigrations();
  for (const { number } of migrations) {
    await migratePostgres({ url: stepwise, migrations: migrations.slice(0, number) });
  }
  await migratePostgres({ url: atOnce });
  const fresh = await postgresSchema(atOnce);
  expect(await postgresSchema(stepwise)).toEqual(fresh);
  expect(fresh).toMatchObject({ ledger: migrations.map(({ number, name }) => ({ number, name })) });
});

test.each(releases().filter((release) => release.migrations("postgres").size > 0))(
  "PostgreSQL: what $name made and the present program migrated is what the present program makes",
  async ({ program }) => {
    const [made, fresh] = [await bareDatabase(), await bareDatabase()];
    const settings = {
      SCIM_DATABASE_URL: made,
      SCIM_MIGRATIONS: "auto",
      SCIM_SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    };
    const env = { ...process.env, ...settings };
    await run(process.execPath, [program, "migrate"], { cwd: newFolder(), env });
    const before = await postgresSchema(made);
    await migratePostgres({ url: made });
    await migratePostgres({ url: fresh });
    expect(await postgresSchema(made)).toEqual(await postgresSchema(fresh));
    expect(before).not.toEqual(await postgresSchema(fresh));
  },
);
