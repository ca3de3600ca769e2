import { DatabaseSync } from "node:sqlite";
import { adding, createPlan, deletePlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";

/** Every row of every table that a write touches. */
function everything(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).all()]);
  database.close();
  return Object.fromEntries(rows);
}

test("a preview leaves no row behind: no resource, entry, reference, counter, event or transaction number", async () => {
  const path = newFile();
  const { resources } = await open(path);
  const anna = { type: "User", id: "u1", body: { userName: "anna" } } as const;
  const team = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1"] } as const;
  await seed(resources, [anna, team]);
  const stored = await fetchOne(resources, anna);
  const before = everything(path);
  const plans = [
    createPlan({ type: "Group", id: "g2", body: { displayName: "New" }, members: ["u1", "u2"] }),
    updatePlan(stored, { body: { userName: "other" } }),
    updatePlan(await fetchOne(resources, team), { collections: [adding("u2")] }),
    deletePlan(stored),
  ];
  for (const plan of plans) expect((await resources.preview(SCOPE, plan)).kind).toBe("written");
  await Promise.all(plans.map(async (plan) => resources.preview(SCOPE, plan)));
  expect(everything(path)).toEqual(before);
});

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
