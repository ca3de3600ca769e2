/**
 * What is said of tables that are not there any more, or that the role of the service may not look at.
 */
import { DatabaseSync } from "node:sqlite";
import { createPlan, NOTHING, SCOPE } from "@scim/core/testing";
import { queryOnce } from "@scim/fixtures/postgres";
import { describe, expect, test } from "vitest";
import { migratePostgres, openPostgresStore } from "../src/postgres/index.ts";
import type { Store } from "../src/store.ts";
import { bareDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

/** An open store, and how another program changes its schema. */
interface Database {
  readonly store: Store;
  readonly change: (statement: string) => Promise<unknown>;
}

async function sqlite(): Promise<Database> {
  const path = newFile();
  const store = await open(path);
  return {
    store,
    change: async (statement) => {
      using beside = new DatabaseSync(path);
      beside.exec(statement);
    },
  };
}

async function postgres(): Promise<Database> {
  const url = await bareDatabase();
  await migratePostgres({ url });
  return { store: await openPostgresAt(url), change: (statement) => queryOnce(url, statement) };
}

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
])("a table that is dropped beneath a running store on %s", (engine, openDatabase) => {
  test("is named to whoever needs it and to who asks for readiness, as is none of an application", async () => {
    const { store, change } = await openDatabase();
    const statements = [{ text: "INSERT INTO seats VALUES (?)", params: ["acme"] }];
    const own = store.resources.write(SCOPE, { ...createPlan(ANNA), statements });
    await expect(own).rejects.not.toHaveProperty("status");
    await change("DROP TABLE resources");
    const refused = { status: 503, message: expect.stringContaining("no table 'resources'") };
    const asks = [
      () => store.resources.read(SCOPE, ANNA, NOTHING),
      () => store.resources.write(SCOPE, createPlan(ANNA)),
      () => store.check(),
    ];
    for (const ask of asks) await expect(ask()).rejects.toMatchObject(refused);
    // A file has no roles.
    if (engine === "SQLite") await expect(store.check()).rejects.not.toThrow(/role|USAGE/);
  });
});

/** The address of a database for a role of its own, which may do nothing there, and what ends the role. */
async function strangerAt(
  url: string,
): Promise<{ readonly address: string; readonly role: string; readonly end: () => Promise<unknown> }> {
  const role = `stranger_${new URL(url).pathname.slice(1)}`;
  await queryOnce(
    url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; REVOKE USAGE ON SCHEMA public FROM PUBLIC`,
  );
  const address = new URL(url);
  address.username = role;
  address.password = "secret";
  return {
    address: address.href,
    role,
    end: () => queryOnce(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`),
  };
}

test("PostgreSQL: a role without USAGE on the schema is told to be granted it, and of no migrations", async () => {
  const url = await bareDatabase();
  await migratePostgres({ url });
  const { address, role, end } = await strangerAt(url);
  await expect(openPostgresStore({ url: address })).rejects.toMatchObject({
    code: "databaseUnusable",
    message: expect.stringContaining(`GRANT USAGE ON SCHEMA … TO "${role}"`),
  });
  await end();
});

test("PostgreSQL: who asks for readiness is told of rights that the role has lost", async () => {
  const url = await bareDatabase();
  await migratePostgres({ url });
  const { address, role, end } = await strangerAt(url);
  await queryOnce(
    url,
    `GRANT USAGE ON SCHEMA public TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  const store = await openPostgresAt(address);
  await store.check();
  await queryOnce(url, `REVOKE ALL ON migrations FROM ${role}`);
  await expect(store.check()).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining("has no rights on a table"),
  });
  await store.close();
  await end();
});
