/**
 * The table that remembers which migrations were applied, without some of its rows.
 */
import { DatabaseSync } from "node:sqlite";
import { dropDatabase, newDatabase, queryOnce } from "@scim/fixtures/postgres";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { migratePostgres, planPostgresMigrations } from "../src/postgres/index.ts";
import { migrateSqlite, planSqliteMigrations, readMigrations } from "../src/sqlite/index.ts";
import { newFile } from "./support/folders.ts";

const MAKES = readMigrations().findLast(({ text }) => /^CREATE /m.test(text))?.number ?? 0;
const ADDS_COLUMN = readMigrations().findLast(({ text }) => text.includes("ADD COLUMN"))?.number ?? 0;

/** A new database, how it is migrated and how that is planned, and what runs a statement on it. */
interface Migrated {
  readonly migrate: () => Promise<unknown>;
  readonly plan: () => Promise<unknown>;
  readonly run: (statement: string) => Promise<unknown>;
}

async function onSqlite(): Promise<Migrated> {
  const path = newFile();
  return {
    migrate: () => migrateSqlite({ path }),
    plan: () => planSqliteMigrations({ path }),
    run: async (statement) => {
      const database = new DatabaseSync(path);
      database.exec(statement);
      database.close();
    },
  };
}

async function onPostgres(): Promise<Migrated> {
  const url = await newDatabase(inject("postgresUrl"));
  onTestFinished(() => dropDatabase(url));
  return {
    migrate: () => migratePostgres({ url }),
    plan: () => planPostgresMigrations({ url }),
    run: (statement) => queryOnce(url, statement),
  };
}

describe.each([
  ["SQLite", onSqlite],
  ["PostgreSQL", onPostgres],
])("%s", (_name, open) => {
  test("a ledger that lost rows is told, with what to do", async () => {
    const { migrate, plan, run } = await open();
    await migrate();
    await run("DELETE FROM migrations WHERE number IN (3, 7)");
    const lost = {
      code: "databaseUnusable",
      message: expect.stringMatching(
        /^The ledger of .* does not have 0003-\S+, 0007-\S+, but has later ones: .* Restore a backup, or put the rows back/,
      ),
    };
    await expect(plan()).rejects.toMatchObject(lost);
    await expect(migrate()).rejects.toMatchObject(lost);
  });

  test.each([
    [
      "that lost its last rows, of which the first makes an index",
      `DELETE FROM migrations WHERE number >= ${MAKES}`,
    ],
    [
      "that lost its last rows, of which the first adds a column",
      `DELETE FROM migrations WHERE number >= ${ADDS_COLUMN}`,
    ],
    ["that lost all rows", "DELETE FROM migrations"],
    ["that is lost itself", "DROP TABLE migrations"],
  ])("a ledger %s is told when the migration is applied again", async (_how, loss) => {
    const { migrate, run } = await open();
    await migrate();
    await run(loss);
    await expect(migrate()).rejects.toMatchObject({
      code: "databaseUnusable",
      message: expect.stringMatching(
        /^Migration \d{4}-\S+ makes what the database has already: .*(?:already exists|duplicate column name: \w+)\. Nothing was changed\. .* Restore a backup, or put the rows back/,
      ),
    });
    // None was made for nothing.
    if (loss.startsWith("DROP")) await run("CREATE TABLE migrations (n integer)");
  });
});
