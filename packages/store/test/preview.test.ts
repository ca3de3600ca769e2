import { queryOnce } from "@scim/fixtures/postgres";
import { DatabaseSync } from "node:sqlite";
import { adding, createPlan, deletePlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** A store, and the rows of its tables beside it. */
interface OpenedStore {
  readonly store: Store;
  readonly read: (text: string) => Promise<readonly Record<string, unknown>[]>;
  /** A query for the names of the tables. */
  readonly tables: string;
}

async function openSqlite(): Promise<OpenedStore> {
  const path = newFile();
  const store = await open(path);
  const read = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare(text).all();
    database.close();
    return rows;
  };
  const tables =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return { store, read, tables };
}

async function openServer(): Promise<OpenedStore> {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const tables =
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
  return { store, read: (text) => queryOnce(url, text), tables };
}

/** Every row of every table that a write touches. */
async function everything({ read, tables }: OpenedStore): Promise<unknown> {
  const names = (await read(tables)).map(({ name }) => String(name));
  const rows: [string, unknown][] = [];
  for (const name of names) rows.push([name, await read(`SELECT * FROM "${name}"`)]);
  return Object.fromEntries(rows);
}

test.each([
  ["SQLite", openSqlite],
  ["PostgreSQL", openServer],
])(
  "a preview leaves no row behind on %s: no resource, entry, reference, counter, event or transaction number",
  async (_name, openStore) => {
    const opened = await openStore();
    const { resources } = opened.store;
    const anna = { type: "User", id: "u1", body: { userName: "anna" } } as const;
    const team = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1"] } as const;
    await seed(resources, [anna, team]);
    const stored = await fetchOne(resources, anna);
    const before = await everything(opened);
    const plans = [
      createPlan({ type: "Group", id: "g2", body: { displayName: "New" }, members: ["u1", "u2"] }),
      updatePlan(stored, { body: { userName: "other" } }),
      updatePlan(await fetchOne(resources, team), { collections: [adding("u2")] }),
      deletePlan(stored),
    ];
    for (const plan of plans) expect((await resources.preview(SCOPE, plan)).kind).toBe("written");
    await Promise.all(plans.map(async (plan) => resources.preview(SCOPE, plan)));
    expect(await everything(opened)).toEqual(before);
  },
);

test("events of writes that share a transaction with previews are those of the writes alone", async () => {
  const path = newFile();
  const { resources } = await open(path);
  const user = (id: string): ReturnType<typeof createPlan> =>
    createPlan({ type: "User", id, body: { userName: id } });
  const ids = Array.from({ length: 20 }, (_, index) => `u${String(index)}`);
  await Promise.all(
    ids.map(async (id, index) =>
      index % 2 === 0 ? resources.preview(SCOPE, user(id)) : resources.write(SCOPE, user(id)),
    ),
  );
  const database = new DatabaseSync(path, { readOnly: true });
  const events = database.prepare("SELECT transaction_number AS n, id FROM events ORDER BY sequence").all();
  const [count] = database.prepare("SELECT sum(n) AS n FROM resource_counters").all();
  database.close();
  expect(events).toEqual(ids.filter((_, index) => index % 2 === 1).map((id) => ({ n: 1, id })));
  expect(count?.["n"]).toBe(10);
});
