/**
 * Databases that cannot be brought to the schema, and what is said of them.
 */
import { randomBytes } from "node:crypto";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { dropDatabase, queryOnce, startPostgres } from "@scim/fixtures/postgres";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import {
  migratePostgres,
  openPostgresStore,
  planPostgresMigrations,
  readMigrations,
} from "../src/postgres/index.ts";
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

test.each([undefined, "", "db.example", "mysql://db.example/scim", "postgres:/scim:geheim@db.example/scim"])(
  "PostgreSQL: no address, '%s', is no reason to take the database of this machine",
  async (url) => {
    // What a setting that is not there, or another one, gives.
    for (const use of [planPostgresMigrations, migratePostgres, openPostgresStore])
      await expect(use({ url } as never)).rejects.toMatchObject(
        unusable("is an address such as postgres://"),
      );
  },
);

test.each(["postgres://scim:geheim/1@db.example/scim", "postgres://127.0.0.1:1/geheim@db.example/scim"])(
  "PostgreSQL: an address with a '/' in its password, %s, which is not told",
  async (url) => {
    for (const use of [planPostgresMigrations, migratePostgres, openPostgresStore]) {
      const failure: unknown = await use({ url }).catch((error: unknown) => error);
      expect(failure).toMatchObject(unusable("The database of this address cannot be used: "));
      expect(inspect(failure)).not.toContain("geheim");
    }
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

describe("PostgreSQL: a search path with a schema before the one that has tables", () => {
  /** The address with a new schema `Own` before `public`. */
  async function behindOwn(url: string): Promise<string> {
    await queryOnce(url, 'CREATE SCHEMA "Own"');
    const address = new URL(url);
    address.searchParams.set("options", '-c search_path="Own",public');
    return address.href;
  }
  const MADE =
    "SELECT nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE relname = 'resources'";

  test("of a service: no other is made beside it, and none works on its tables by mistake", async () => {
    const url = await bareDatabase();
    await migratePostgres({ url, migrations: readMigrations().slice(0, -1) });
    const both = await behindOwn(url);
    const refusal = unusable("are in the schema 'public', and what is made comes to 'Own'");
    await expect(migratePostgres({ url: both })).rejects.toMatchObject(refusal);
    expect(await queryOnce(url, MADE)).toEqual([{ schema: "public" }]);
    await migratePostgres({ url });
    for (const use of [planPostgresMigrations, migratePostgres, openPostgresStore])
      await expect(use({ url: both })).rejects.toMatchObject(refusal);
  });

  test("of another program: they are not taken for those of the service", async () => {
    const url = await bareDatabase();
    await queryOnce(
      url,
      "CREATE TABLE migrations (id integer PRIMARY KEY); CREATE TABLE resources (id integer)",
    );
    const both = await behindOwn(url);
    const layout = { kind: "partitions", count: 2 } as const;
    await migratePostgres({ url: both, layout });
    expect(await planPostgresMigrations({ url: both, layout })).toEqual([]);
    expect(await queryOnce(url, MADE)).toEqual([{ schema: "public" }, { schema: "Own" }]);
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

test("SQLite: a path that no file can have is told with the reason", async () => {
  const path = newFile();
  await migrateSqlite({ path });
  for (const [wrong, reason] of [
    [dirname(path), "cannot be opened for writing: it is a folder, name a file in it"],
    [`${path}/scim.db`, "cannot be opened for writing: EEXIST"],
  ] as const)
    await expect(migrateSqlite({ path: wrong }), wrong).rejects.toMatchObject(unusable(reason));
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
