/**
 * Databases that cannot be brought to the schema, and what is said of them.
 */
import { randomBytes } from "node:crypto";
import { symlinkSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { dropDatabase, queryOnce, startPostgres } from "@scim/fixtures/postgres";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { migratePostgres, openPostgresStore, planPostgresMigrations } from "../src/postgres/index.ts";
import { migrateSqlite, planSqliteMigrations } from "../src/sqlite/index.ts";
import { bareDatabase } from "./support/engines.ts";
import { newFile } from "./support/folders.ts";

/** A refusal with what it says. */
function unusable(message: string): Record<string, unknown> {
  return { code: "databaseUnusable", message: expect.stringContaining(message) };
}

const TABLES = "SELECT count(*)::integer AS n FROM pg_class WHERE relname IN ('resources', 'migrations')";

test.each(["LATIN1", "SQL_ASCII"])("PostgreSQL: a new database of the encoding %s", async (encoding) => {
  const server = inject("postgresUrl");
  const name = `scim_${randomBytes(6).toString("hex")}`;
  await queryOnce(
    server,
    `CREATE DATABASE ${name} ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
  );
  const url = new URL(`/${name}`, server).href;
  onTestFinished(() => dropDatabase(url));
  for (const bring of [planPostgresMigrations, migratePostgres])
    await expect(bring({ url })).rejects.toMatchObject(unusable(`is ${encoding}, and it must be UTF8`));
  expect(await queryOnce(url, TABLES)).toEqual([{ n: 0 }]);
});

test.each([undefined, "", "db.example", "mysql://db.example/scim"])(
  "PostgreSQL: no address, '%s', is no reason to take the database of this machine",
  async (url) => {
    // What a setting that is not there, or another one, gives.
    for (const use of [planPostgresMigrations, migratePostgres, openPostgresStore])
      await expect(use({ url } as never)).rejects.toMatchObject(
        unusable("is an address such as postgres://"),
      );
  },
);

describe("a table 'migrations' of another program", () => {
  const OTHER = "CREATE TABLE migrations (id integer PRIMARY KEY, batch integer)";
  const REFUSAL = unusable("table 'migrations' is that of another program");

  test("PostgreSQL", async () => {
    const url = await bareDatabase();
    await queryOnce(url, OTHER);
    await expect(planPostgresMigrations({ url })).rejects.toMatchObject(REFUSAL);
    await expect(migratePostgres({ url })).rejects.toMatchObject(REFUSAL);
  });

  test("SQLite", async () => {
    const path = newFile();
    const database = new DatabaseSync(path);
    database.exec(OTHER);
    database.close();
    await expect(planSqliteMigrations({ path })).rejects.toMatchObject(REFUSAL);
    await expect(migrateSqlite({ path })).rejects.toMatchObject(REFUSAL);
  });
});

test("SQLite: a file that is damaged, as a backup is where the log of another state stays beside it", async () => {
  const path = newFile();
  writeFileSync(path, "This is no database.".repeat(500));
  await expect(migrateSqlite({ path })).rejects.toMatchObject(
    unusable("a backup that is put in its place needs the files -wal and -shm beside it removed"),
  );
});

test.each(["-wal", "-shm"])("SQLite: a file %s beside it that cannot be written is named", async (beside) => {
  const path = newFile();
  await migrateSqlite({ path });
  // Who may write everything, as root may, cannot open this one either.
  symlinkSync(`${path}${beside}`, `${path}${beside}`);
  await expect(migrateSqlite({ path })).rejects.toMatchObject(
    unusable(`scim.db${beside} cannot be opened for writing`),
  );
});

test("PostgreSQL: more partitions than there is room for the locks of", async () => {
  const server = await startPostgres({ connections: 10 });
  onTestFinished(() => server.stop());
  const { url } = server;
  await expect(migratePostgres({ url, layout: { kind: "partitions", count: 512 } })).rejects.toMatchObject(
    unusable("raise its max_locks_per_transaction to 1024 or more"),
  );
  expect(await queryOnce(url, TABLES)).toEqual([{ n: 0 }]);
});
