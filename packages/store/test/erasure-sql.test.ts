import {
  deletePlan,
  fetchOne,
  filterOf,
  indexPage,
  matchingIds,
  MEMBERS,
  SCOPE,
  seed,
} from "@scim/core/testing";
import { expect, test } from "vitest";
import { eraseCopies } from "../src/erasure/copies.ts";
import { eraseNamesOf } from "../src/erasure/guard-names.ts";
import { sql } from "../src/sql.ts";
import { sqliteDialect } from "../src/sqlite/dialect.ts";
import { numberOf, textOf } from "../src/steps.ts";
import { ENGINES } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";
import { plainSqlite } from "./support/plain-executor.ts";

const TENANT = "acme";
const guard = { mode: "hold", atLeast: 1, percent: 0, window: 60, named: ["Anna", "Bo"] };

test.each(PLAIN_DATABASES)(
  "whether somebody else bears a name that a guard lets pass is looked up on %s, and no more, however many names there are",
  async (_name, make) => {
    const { executor, dialect } = await make();
    const names = ["bo", ...Array.from({ length: 10000 }, (_, n) => `person ${n}`)];
    for (const scope of ["Badge", "User"]) {
      for (const name of scope === "User" ? names : ["a badge"]) {
        await executor.run(sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
          VALUES (${TENANT}, ${scope}, 'userName', ${dialect.keys.bounded(name)}, 'User', ${name})`);
      }
    }
    await executor.run({ text: "ANALYZE", params: [] });
    await executor.run(sql`INSERT INTO connections (tenant, connection, created, limits)
      VALUES (${TENANT}, 'okta', '2026-01-01T00:00:00.000Z', ${JSON.stringify({ guard })})`);
    const images = [{ before: JSON.stringify({ userName: "anna", nickName: "bo" }), after: null }];
    await executor.write(function* () {
      return { keep: true, result: yield* eraseNamesOf(dialect, TENANT, images) };
    });
    const { rows } = await executor.run(sql`SELECT limits FROM connections WHERE tenant = ${TENANT}`);
    expect(rows.map((row) => JSON.parse(textOf(row, "limits")))).toEqual([
      { guard: { ...guard, named: ["Bo"] } },
    ]);
    for (const statement of executor.statements.filter(({ text }) => text.includes("unique_values"))) {
      const plan = (await executor.explain(statement)).join("\n");
      expect(plan).not.toMatch(/TEMP B-TREE|Sort|Seq Scan/);
      if (statement.text.includes("key =")) expect(plan).toMatch(/path ?=/);
    }
  },
);

test.each(PLAIN_DATABASES)(
  "a guard loses the name of who is erased on %s, however it is written, and its revision is not one that comes again",
  async (_name, make) => {
    const { executor, dialect } = await make();
    // Decomposed, in full width, and in capitals that have more than one small form.
    const named = ["Zoe\u0308", "\uFF22o", "\u0130da", "other", "Badge 7"];
    await executor.run(sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
      VALUES (${TENANT}, 'type:Badge', 'number', ${dialect.keys.bounded("Badge 7")}, 'Badge', '7')`);
    await executor.run(sql`INSERT INTO connections (tenant, connection, created, limits, revision)
      VALUES (${TENANT}, 'okta', '2026-01-01T00:00:00.000Z', ${JSON.stringify({ guard: { ...guard, named } })}, 7)`);
    const images = [
      { before: null, after: JSON.stringify({ userName: "ZO\u00CB", nickName: "bo", title: "\u0130DA" }) },
      { before: JSON.stringify({ title: "badge 7" }), after: null },
    ];
    await executor.write(function* () {
      return { keep: true, result: yield* eraseNamesOf(dialect, TENANT, images) };
    });
    const { rows } = await executor.run(
      sql`SELECT limits, revision FROM connections WHERE tenant = ${TENANT}`,
    );
    expect(rows.map((row) => JSON.parse(textOf(row, "limits")))).toEqual([
      { guard: { ...guard, named: ["other", "Badge 7"] } },
    ]);
    expect(rows.every((row) => numberOf(row, "revision") > 8)).toBe(true);
  },
);

test("what many groups hold of a person goes with turns for others between", async () => {
  const path = newFile();
  const store = await open(path);
  const groups = Array.from({ length: 300 }, (_, n) => ({
    type: "Group" as const,
    id: `g${n}`,
    body: { displayName: "A" },
    members: [{ value: "anna", rest: { display: "Anna A." } }],
  }));
  await seed(store.resources, groups);
  const executor = plainSqlite(path);
  const order = { subject: { tenant: SCOPE.tenant, id: "anna" }, at: "2026-01-01T00:00:00.000Z" };
  const setting = { executor: { ...executor, pause: async () => undefined }, dialect: sqliteDialect };
  expect(await eraseCopies(setting, { ...order, newNonce: () => "n" })).toBe(300);
  expect(executor.pauses()).toBe(6);
});

test.each(ENGINES)(
  "a group that is erased on %s leaves its members to nobody who has its id later, and nothing that a guard holds of it",
  async (_name, openStore) => {
    const { resources, guard: held, erasures } = await openStore();
    const at = "2026-01-01T00:00:00.000Z";
    const team = {
      type: "Group",
      id: "team",
      body: { displayName: "Team" },
      members: ["anna", "bo"],
    } as const;
    await seed(resources, [team]);
    await resources.write(SCOPE, deletePlan(await fetchOne(resources, team)));
    for (const type of ["Group", "User"]) {
      const removed = { values: ["anna"], count: 1 };
      const of = { ...SCOPE, measure: "removals", type, resource: team.id, id: `of ${type}` } as const;
      await held.hold({ ...of, last: at, changes: [], removed });
    }
    const subject = { tenant: SCOPE.tenant, type: team.type, id: team.id };
    expect(await erasures.erase({ subject, at, newNonce: () => "n" })).toMatchObject({ resources: 1 });
    expect(await held.held(SCOPE.tenant, { limit: 9 })).toMatchObject([{ id: "of User" }]);
    await seed(resources, [{ ...team, members: ["cleo"] }]);
    const members = (await resources.read(SCOPE, team, MEMBERS))?.collections.get("members");
    expect(members?.map(({ value }) => value)).toEqual(["cleo"]);
  },
);

test.each(ENGINES)(
  "who referred to somebody that was erased on %s is found by what they are named",
  async (_name, openStore) => {
    const { resources, erasures } = await openStore();
    const boss = { value: "anna", displayName: "Anna A." };
    await seed(resources, [
      { type: "User", id: "anna", body: { userName: "anna" } },
      { type: "User", id: "bo", body: { userName: "bo", boss } },
    ]);
    await resources.write(SCOPE, deletePlan(await fetchOne(resources, { type: "User", id: "anna" })));
    const subject = { tenant: SCOPE.tenant, type: "User", id: "anna" };
    const order = { subject, at: "2026-01-01T00:00:00.000Z", newNonce: () => "n" };
    expect(await erasures.erase(order)).toMatchObject({ copies: 1 });
    const named = {
      type: "User",
      filter: filterOf("User", 'userName eq "bo"'),
      sort: null,
      page: indexPage(0, 9),
    } as const;
    expect(await matchingIds(resources, named)).toMatchObject({ ids: ["bo"] });
  },
);
