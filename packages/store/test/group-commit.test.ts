import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { adding, createPlan, fetchOne, MEMBERS, NOTHING, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { newFile, open } from "./support/folders.ts";

function user(id: string): ReturnType<typeof createPlan> {
  return createPlan({ type: "User", id, body: { userName: id } });
}

/** How many transactions of a tenant wrote how many events. */
function transactions(path: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database
    .prepare(
      "SELECT count(*) AS n FROM events GROUP BY tenant, transaction_number ORDER BY transaction_number",
    )
    .all();
  database.close();
  return rows.map((row) => Number(row["n"]));
}

describe("group commit", () => {
  test("writes that wait share a transaction", async () => {
    const path = newFile();
    const { resources } = await open(path);
    const ids = Array.from({ length: 50 }, (_, index) => `u${index}`);
    await Promise.all(ids.map(async (id) => resources.write(SCOPE, user(id))));
    expect(transactions(path)).toEqual([50]);
    await resources.write(SCOPE, user("one"));
    await resources.write(SCOPE, user("two"));
    expect(transactions(path)).toEqual([50, 1, 1]);
  });

  test("a flood of writes is cut into transactions, so that reads come between", async () => {
    const path = newFile();
    const { resources } = await open(path);
    const ids = Array.from({ length: 600 }, (_, index) => `u${index}`);
    const writes = Promise.all(ids.map(async (id) => resources.write(SCOPE, user(id))));
    await resources.write(SCOPE, user("last"));
    await writes;
    expect(transactions(path)).toEqual([256, 256, 89]);
  });

  test("a transaction number that was drawn by a refused write is drawn again", async () => {
    const path = newFile();
    const { resources } = await open(path);
    await seed(resources, [{ type: "User", id: "u1", body: { userName: "u1" } }]);
    const stale = {
      ...updatePlan(await fetchOne(resources, { type: "User", id: "u1" }), {}),
      expectedVersion: "9-stale",
    };
    const results = await Promise.all(
      [stale, user("u2"), stale, user("u3")].map(async (plan) => resources.write(SCOPE, plan)),
    );
    expect(results.map(({ kind }) => kind)).toEqual(["conflict", "written", "conflict", "written"]);
    await resources.write(SCOPE, user("u4"));
    expect(transactions(path)).toEqual([1, 2, 1]);
  });

  test("writes that fail take nothing from those that they share transactions with, batch after batch", async () => {
    const path = newFile();
    const { resources } = await open(path);
    for (const batch of ["a", "b", "c"]) {
      const named = (id: string, userName: string) => ({
        ...user(`${batch}${id}`),
        unique: [{ path: "userName", scope: "type:User", key: userName }],
      });
      const plans = [
        named("1", `${batch}anna`),
        named("2", "anna"),
        named("3", `${batch}bert`),
        named("4", "anna"),
      ];
      const results = await Promise.all(plans.map(async (plan) => resources.write(SCOPE, plan)));
      const expected =
        batch === "a"
          ? ["written", "written", "written", "duplicate"]
          : ["written", "duplicate", "written", "duplicate"];
      expect(results.map(({ kind }) => kind)).toEqual(expected);
    }
    expect(transactions(path)).toEqual([3, 2, 2]);
    const ids = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"];
    const stored = await resources.readMany(SCOPE, { type: "User", ids }, NOTHING);
    expect(stored.map(({ id }) => id)).toEqual(["a1", "a2", "a3", "b1", "b3"]);
  });

  test("a plan that cannot be stored fails alone", async () => {
    const { resources } = await open(newFile());
    const broken = { ...user("u2"), index: [{ path: "userName", key: Symbol("no key") }] };
    const results = await Promise.allSettled([
      resources.write(SCOPE, user("u1")),
      // @ts-expect-error a symbol is no comparison key
      resources.write(SCOPE, broken),
      resources.write(SCOPE, user("u3")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const stored = await resources.readMany(SCOPE, { type: "User", ids: ["u1", "u2", "u3"] }, NOTHING);
    expect(stored.map(({ id }) => id)).toEqual(["u1", "u3"]);
  });

  test("a read sees nothing of a long write until it is durable, and does not wait for it", async () => {
    const { resources } = await open(newFile());
    await seed(resources, [{ type: "Group", id: "g1", body: { displayName: "one" }, members: ["first"] }]);
    const group = await fetchOne(resources, { type: "Group", id: "g1" });
    const many = Array.from({ length: 5000 }, (_, index) => `m${index}`);
    const progress = { done: false };
    const write = resources
      .write(SCOPE, updatePlan(group, { collections: [adding(...many)] }))
      .finally(() => {
        progress.done = true;
      });
    let readsBefore = 0;
    while (!progress.done) {
      const seen = await fetchOne(resources, { type: "Group", id: "g1" }, MEMBERS);
      const members = seen.collections.get("members")?.length;
      if (!progress.done) {
        expect([seen.version, members]).toEqual([group.version, 1]);
        readsBefore += 1;
      }
      await nextTurn();
    }
    expect(await write).toMatchObject({ kind: "written" });
    expect(readsBefore).toBeGreaterThan(5);
    expect(
      await resources.references(SCOPE, { type: "Group", id: "g1", path: "members" }, "all"),
    ).toHaveLength(5001);
  });

  test("a lock that another process keeps is an error that says to try again", async () => {
    const path = newFile();
    const store = await open(path, { busyTimeout: 50 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const refused = store.resources.write(SCOPE, user("u1"));
    await expect(refused).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      headers: { "retry-after": "1" },
    });
    expect(await store.resources.read(SCOPE, { type: "User", id: "u1" }, NOTHING)).toBeNull();
    other.exec("ROLLBACK");
    other.close();
    expect(await store.resources.write(SCOPE, user("u1"))).toMatchObject({ kind: "written" });
  });
});
