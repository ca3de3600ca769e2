import { expect, test } from "vitest";
import { decideHeld, heldChanges, purgeHeld } from "../src/guard/held-changes.ts";
import { readState } from "../src/guard/read-state.ts";
import { sql } from "../src/sql.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";
import { newFile, open } from "./support/folders.ts";
import { NO_EVENTS, plainSqlite } from "./support/plain-executor.ts";

const PLACE = { tenant: "acme", connection: "okta", measure: "deletions", type: "User" } as const;

test.each(PLAIN_DATABASES)(
  "what a guard asks on %s, and what forgets held changes, looks at few of them, however many there are",
  async (_name, make) => {
    const { executor } = await make();
    // All of them are released but one, and sent again lately but ten.
    await executor.run(sql`WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO guard_held (tenant, connection, measure, type, resource, id, first_at, last_at, tries, changes, removed, released)
    SELECT 'acme', 'okta', 'deletions', 'User', 'u' || n, 'h' || n, '2026-01-01T00:00:00.000Z',
      CASE WHEN n <= 10 THEN '2026-01-01T00:00:00.000Z' ELSE '2026-03-01T00:00:00.000Z' END,
      1, '[]', '{"values":[],"count":1}', CASE WHEN n <> 2999 THEN '2026-02-01T00:00:00.000Z' END FROM numbers`);
    await executor.run({ text: "ANALYZE", params: [] });
    expect(await executor.read(readState(PLACE, "u7"))).toMatchObject({
      holds: true,
      released: { count: 1 },
    });
    expect(await executor.write(() => purgeHeld("acme", "2026-02-01T00:00:00.000Z", 6))).toBe(6);
    expect(await executor.write(() => purgeHeld("acme", "2026-02-01T00:00:00.000Z", 6))).toBe(4);
    const plans: string[] = [];
    for (const statement of executor.statements.filter(({ text }) => text.includes("guard_held")))
      plans.push((await executor.explain(statement)).join("\n"));
    const indexes = [
      /resource ?=/,
      /guard_held_undecided/,
      ...Array.from({ length: 4 }, () => /guard_held_last/),
    ];
    expect(plans).toEqual(indexes.map((index) => expect.stringMatching(index)));

    // Nothing is left to decide on, so that nobody is told.
    await executor.run(sql`UPDATE guard_held SET released = last_at`);
    const asked = executor.statements.length;
    const whole = { tenant: "acme", which: { connection: "okta" }, passes: true };
    const decision = { actor: {}, at: "2026-04-01T00:00:00.000Z" };
    expect(await executor.write(() => decideHeld(NO_EVENTS, { ...whole, decision }))).toBe(0);
    const decided = executor.statements.slice(asked);
    expect(decided.length).toBeGreaterThan(8);
    // By the primary key, from place to place: the last stretch has one end.
    for (const statement of decided.slice(2, -1))
      expect((await executor.explain(statement)).join("\n")).toMatch(
        /PRIMARY KEY .*\(measure,type,resource\)>|guard_held_pkey[^]*Index Cond: .*ROW\(measure, type, resource\) >/,
      );
  },
);

test("SQLite: what is held of a connection is listed by an index alone, however much is held of others", async () => {
  const path = newFile();
  await (await open(path)).close();
  const executor = plainSqlite(path);
  await executor.read(heldChanges("acme", { connection: "okta", after: "h1", limit: 9 }));
  for (const statement of executor.statements)
    expect(await executor.explain(statement)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/USING INDEX guard_held_id \(tenant=\? AND id=\?\)/),
        expect.stringMatching(/USING COVERING INDEX guard_held_id/),
      ]),
    );
});
