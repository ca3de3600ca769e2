import { queryOnce } from "@scim/fixtures/postgres";
import { SCOPE, createPlan } from "@scim/core/testing";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { migratePostgres, readMigrations, StoreError } from "../src/postgres/index.ts";
import { bareDatabase, emptyDatabase, openPostgresAt } from "./support/engines.ts";

const OWN = readMigrations();
/** The schema of a program that comes after this one: it changes a table that requests use. */
const NEXT = [
  ...OWN,
  {
    number: OWN.length + 1,
    name: "9999-notes",
    text: "ALTER TABLE resources ADD COLUMN note text",
    checksum: "checksum of notes",
    oldestWriter: 1,
  },
];

/** A transaction that reads resources and stays open: no table that it has read can be changed meanwhile. */
async function openReader(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM resources");
  return client;
}

/** Resolves when so many sessions on a database wait for a lock. */
async function untilWaiting(url: string, sessions: number): Promise<void> {
  const waiting = `SELECT count(*)::integer AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect(await queryOnce(url, waiting)).toEqual([{ n: sessions }]), {
    interval: 5,
  });
}

/** Takes back what a test has added, for those that use the database after it. */
function withoutNotes(url: string): void {
  onTestFinished(async () => {
    await queryOnce(
      url,
      `ALTER TABLE resources DROP COLUMN IF EXISTS note; DELETE FROM migrations WHERE number = ${NEXT.length}`,
    );
  });
}

test("PostgreSQL: a migration that waits for a long transaction holds up no request for long, and goes on behind it", async () => {
  const url = await emptyDatabase();
  withoutNotes(url);
  const reader = await openReader(url);
  const store = await openPostgresAt(url, { statementTimeout: 2000 });
  const migrated = migratePostgres({ url, migrations: NEXT, lockTimeout: 100, lockTries: 1000 });
  // Each is held up while a try waits, and none past its own time limit.
  for (let n = 0; n < 40; n += 1) {
    const plan = createPlan({ type: "User", id: `u${n}`, body: { userName: `u${n}` } });
    expect(await store.resources.write(SCOPE, plan)).toMatchObject({ kind: "written" });
  }
  await reader.query("COMMIT");
  expect((await migrated).map(({ name }) => name)).toEqual(["9999-notes"]);
});

test("PostgreSQL: a migration that never gets its locks says so, and changes nothing", async () => {
  const url = await emptyDatabase();
  withoutNotes(url);
  const reader = await openReader(url);
  const refused = await migratePostgres({ url, migrations: NEXT, lockTimeout: 10, lockTries: 2 }).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StoreError);
  expect(refused).toMatchObject({
    code: "databaseUnusable",
    message: expect.stringContaining("migrate again when they have ended"),
  });
  await reader.query("COMMIT");
  expect(await queryOnce(url, "SELECT count(*)::integer AS n FROM migrations")).toEqual([{ n: OWN.length }]);
});

test("PostgreSQL: a migration that a transaction waits for, while it waits for that, is taken back and tried again", async () => {
  const address = new URL(await emptyDatabase());
  const url = address.href;
  withoutNotes(url);
  const reader = await openReader(url);
  // The one who is found waiting first gives up.
  address.searchParams.set("options", "-c deadlock_timeout=500ms");
  const text = "LOCK TABLE events; ALTER TABLE resources ADD COLUMN note text";
  const migrations = NEXT.map((each) => (each.number === NEXT.length ? { ...each, text } : each));
  const migrated = migratePostgres({ url: address.href, migrations });
  await untilWaiting(url, 1);
  await reader.query("SELECT 1 FROM events LIMIT 1");
  await reader.query("COMMIT");
  expect((await migrated).map(({ name }) => name)).toEqual(["9999-notes"]);
});

test("PostgreSQL: of two that migrate at once one does, also where transactions are told to see the state of their beginning", async () => {
  const address = new URL(await bareDatabase());
  address.searchParams.set("options", "-c default_transaction_isolation=serializable");
  const url = address.href;
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("SELECT pg_advisory_lock(1935829357, hashtext(current_schema()))");
  const both = [migratePostgres({ url }), migratePostgres({ url })];
  await untilWaiting(url, 2);
  await holder.query("SELECT pg_advisory_unlock_all()");
  const applied = await Promise.all(both);
  expect(applied.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, OWN.length]);
});

test("PostgreSQL: what a role or a database says of how long statements may take does not hold for migrations", async () => {
  const address = new URL(await emptyDatabase());
  const url = address.href;
  const limits = ["statement_timeout", "transaction_timeout"];
  address.searchParams.set("options", limits.map((name) => `-c ${name}=60s`).join(" "));
  onTestFinished(async () => {
    await queryOnce(url, `DROP TABLE limits; DELETE FROM migrations WHERE number = ${NEXT.length}`);
  });
  const text = `CREATE TABLE limits AS SELECT name, setting FROM pg_settings WHERE name IN ('${limits.join("', '")}')`;
  const migrations = NEXT.map((each) => (each.number === NEXT.length ? { ...each, text } : each));
  await migratePostgres({ url: address.href, migrations });
  const seen = await queryOnce(url, "SELECT name, setting FROM limits ORDER BY name");
  expect(seen).toEqual(limits.toSorted().map((name) => ({ name, setting: "0" })));
});
