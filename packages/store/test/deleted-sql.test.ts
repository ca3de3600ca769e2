import { DatabaseSync } from "node:sqlite";
import { SCOPE } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { listDeleted } from "../src/resources/deleted.ts";
import { sql } from "../src/sql.ts";
import { emptyDatabase } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { plainPostgres, plainSqlite, type PlainExecutor } from "./support/plain-executor.ts";
import { turnsDuring } from "./support/turns-during.ts";

const DATABASES: readonly (readonly [string, () => Promise<PlainExecutor>, RegExp])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      await (await open(path)).close();
      return plainSqlite(path);
    },
    /^SEARCH r USING INDEX resources_tombstones \(tenant=\? AND deleted>\? AND \(deleted,type,id\)<\(\?,\?,\?\)\)$/,
  ],
  [
    "PostgreSQL",
    async () => plainPostgres(await emptyDatabase()),
    /Index Scan Backward using resources_tombstones on resources r/,
  ],
];

const DAY = "2026-03-01T00:00:00.000Z";
const EACH = 3000;

/**
 * Deleted users of a tenant, of which each was deleted later than the one before, as many live ones, those of other tenants, and
 * entries of others in the audit log.
 */
async function filled(executor: PlainExecutor): Promise<void> {
  const columns = sql`tenant, type, id, connection, revision, version, created, last_modified, deleted, body`;
  const late = sql`'2026-03-02T' || (10000 + n)`;
  for (const [tenant, prefix, deleted] of [
    [sql`'north'`, "gone", late],
    [sql`'north'`, "live", sql`NULL`],
    // The index by time alone would go through those of all tenants.
    ...["a", "b", "c", "d", "e"].map((letter) => [sql`'south' || n % 100`, letter, late] as const),
  ] as const) {
    await executor.run(sql`WITH RECURSIVE counted (n) AS
        (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(${EACH} AS integer))
      INSERT INTO resources (${columns})
      SELECT ${tenant}, 'User', CAST(${prefix} AS text) || n, 'first', 1, '1-a', CAST(${DAY} AS text),
        CAST(${DAY} AS text), ${deleted}, '{}'
      FROM counted`);
  }
  // An empty table, or a small one, might be read as a whole.
  await executor.run(sql`WITH RECURSIVE counted (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(${EACH} AS integer))
    INSERT INTO audit_entries (tenant, position, at, type, id, entry, hash)
    SELECT 'north', n, CAST(${DAY} AS text), 'User', 'other' || n, '{}', '' FROM counted`);
  await executor.run(sql`ANALYZE resources`);
  await executor.run(sql`ANALYZE audit_entries`);
}

describe.each(DATABASES)("deleted resources in %s", (_engine, openPlain, byIndex) => {
  test("a page is read from its place on by index, also where each is looked up in the audit log", async () => {
    const executor = await openPlain();
    await filled(executor);
    const after = { deleted: "2026-03-02T11000", type: "User", id: "gone1000" };
    const page = await executor.read(listDeleted("north", { since: DAY, after, limit: 2 }));
    expect(page.map(({ id, deleted, by }) => [id, deleted, by])).toEqual([
      ["gone999", "2026-03-02T10999", null],
      ["gone998", "2026-03-02T10998", null],
    ]);
    const [statement] = executor.statements;
    if (statement === undefined) throw new TypeError("A statement was expected");
    const plan = await executor.explain(statement);
    expect(plan).toContainEqual(expect.stringMatching(byIndex));
    expect(plan).toContainEqual(expect.stringMatching(/audit_entries_resource/));
    expect(plan.join("\n")).not.toMatch(/Sort|TEMP B-TREE|Seq Scan|SCAN/);
  });
});

test("others have their turn while few of a type are looked for among very many", async () => {
  const path = newFile();
  const { resources } = await open(path);
  const database = new DatabaseSync(path);
  const columns = "tenant, type, id, connection, revision, version, created, last_modified, deleted, body";
  database.exec(`WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 25000)
    INSERT INTO resources (${columns})
    SELECT '${SCOPE.tenant}', CASE WHEN n % 12000 = 7 THEN 'Group' ELSE 'User' END, 'id' || n, 'first', 1, '1-a', '', '',
      '2026-03-02T' || (100000 + n), '{}' FROM counted`);
  database.close();
  const page = { since: DAY, type: "Group", after: null, limit: 10 };
  const found = await resources.deleted?.list(SCOPE, page);
  expect(found?.map(({ id }) => id)).toEqual(["id24007", "id12007", "id7"]);
  const [, second] = (await resources.deleted?.list(SCOPE, { ...page, limit: 2 })) ?? [];
  if (second === undefined) throw new TypeError("Two groups were expected");
  const rest = await resources.deleted?.list(SCOPE, { ...page, after: second });
  expect(rest?.map(({ id }) => id)).toEqual(["id7"]);
  expect(await turnsDuring(resources.deleted?.list(SCOPE, page) ?? Promise.resolve())).toBeGreaterThan(1);
});
