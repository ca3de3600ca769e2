import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createPlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { beneath } from "../src/copy/databases.ts";
import { readTenants } from "../src/events/tenants.ts";
import { sql } from "../src/sql.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { migrateSqlite, planSqliteMigrations } from "../src/sqlite/index.ts";
import type { Steps } from "../src/steps.ts";
import { newFile, open } from "./support/folders.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

/** Bytes of a body that no half-full database takes. */
const LARGE = "x".repeat(2_000_000);

/** The connection that a store writes on: the one that begins transactions that write. */
async function openWithWriter() {
  const spy = vi.spyOn(SqliteConnection.prototype, "run");
  onTestFinished(() => spy.mockRestore());
  const store = await open(newFile());
  const { resources } = store;
  await seed(resources, [ANNA]);
  const begun = spy.mock.calls.findIndex(([{ text }]) => text === "BEGIN IMMEDIATE");
  const writer = spy.mock.contexts[begun];
  if (!(writer instanceof SqliteConnection)) throw new TypeError("Nothing was written.");
  return { store, resources, writer };
}

const PAGES = { text: "PRAGMA page_count", params: [] };

test.each([
  [
    "full",
    (writer: SqliteConnection) =>
      writer.exec(`PRAGMA max_page_count = ${String(Object.values(writer.run(PAGES).rows[0] ?? {})[0])}`),
    (writer: SqliteConnection) => writer.exec("PRAGMA max_page_count = 1000000"),
    "The database or its disk is full: nothing can be written now.",
  ],
  [
    "read-only",
    (writer: SqliteConnection) => writer.exec("PRAGMA query_only = 1"),
    (writer: SqliteConnection) => writer.exec("PRAGMA query_only = 0"),
    "The database is read-only: nothing can be written now.",
  ],
])(
  "a database that becomes %s refuses writes with a reason, reads on, is not ready, and serves again",
  async (_kind, spoil, mend, detail) => {
    const { store, resources, writer } = await openWithWriter();
    const before = await fetchOne(resources, ANNA);
    spoil(writer);
    const large = updatePlan(before, { body: { userName: "anna", title: LARGE } });
    const created = createPlan({ type: "User", id: "u2", body: { userName: "bob", title: LARGE } });
    const outcomes = await Promise.allSettled([
      resources.write(SCOPE, large),
      resources.write(SCOPE, created),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { name: "ScimError", code: "unavailable", message: detail, headers: { "retry-after": "1" } },
      });
    }
    expect(await fetchOne(resources, ANNA)).toEqual(before);
    const checks = await Promise.allSettled([store.check(), store.check()]);
    for (const check of checks)
      expect(check).toMatchObject({ reason: { code: "unavailable", message: detail } });
    mend(writer);
    expect(await store.check()).toBeUndefined();
    expect(await resources.write(SCOPE, large)).toMatchObject({ kind: "written" });
    expect(await resources.write(SCOPE, created)).toMatchObject({ kind: "written" });
    expect((await fetchOne(resources, ANNA)).body).toEqual({ userName: "anna", title: LARGE });
  },
);

/** Has a file alone for a moment, as whoever closes it last; says when. */
const HOLDER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE held (n)");
  process.stdout.write("held");
  setTimeout(() => database.close(), 300);
`;

test("opening waits for another process that has the file alone, and statements no longer than they are to", async () => {
  const path = newFile();
  const holder = spawn(process.execPath, ["-e", HOLDER, path], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(holder, "exit");
  await once(holder.stdout, "data");
  const connection = new SqliteConnection(path, { lockWait: 0, openingWait: 30_000 });
  expect(connection.run({ text: "SELECT name FROM sqlite_schema", params: [] }).rows).toEqual([
    { name: "held" },
  ]);
  expect(connection.run({ text: "PRAGMA busy_timeout", params: [] }).rows).toEqual([{ timeout: 0 }]);
  connection.close();
  expect(await ended).toEqual([0, null]);
});

/** Wants a file alone, as whoever closes it last does to take its log away. */
const TAKER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE");
  } catch (error) {
    process.stdout.write(error.message);
  }
`;

test("a file that is opened once more in a process keeps the locks of who has it open there", async () => {
  const path = newFile();
  await open(path);
  await (await open(path)).close();
  await migrateSqlite({ path });
  const { stdout } = spawnSync(process.execPath, ["-e", TAKER, path], { encoding: "utf8" });
  expect(stdout).toBe("database is locked");
});

test("telling what migrating a file would do leaves a backup of another journal as it is", async () => {
  const path = newFile();
  await migrateSqlite({ path });
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
  const before = readFileSync(path);
  expect(await planSqliteMigrations({ path })).toEqual([]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("a read that ends its transaction with its error fails by that error", async () => {
  const { executor } = beneath(await open(newFile()));
  function* conflicting(): Steps<void> {
    // As errors of the disk do, this conflict ends the transaction.
    yield sql`INSERT OR ROLLBACK INTO migrations SELECT * FROM migrations LIMIT 1`;
  }
  await expect(executor.snapshot(conflicting())).rejects.toThrow("UNIQUE constraint failed");
  await expect(executor.snapshot(readTenants("", 1))).resolves.toEqual([]);
});
