/**
 * What a process that has nothing to do for indexes asks of the database, where there are many tenants.
 */
import { DatabaseSync } from "node:sqlite";
import { sampleTenant } from "@scim/tenancy/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { beneath } from "../../src/copy/databases.ts";
import { IndexKeeper } from "../../src/indexes/keeper.ts";
import type { Executor, Row, Steps } from "../../src/steps.ts";
import { newFile, open } from "../support/folders.ts";

const TENANTS = 3000;

/** A file with many tenants, each with indexes that are ready. */
async function manyTenants(): Promise<string> {
  const path = newFile();
  await (await open(path)).close();
  const database = new DatabaseSync(path);
  database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${TENANTS})
    INSERT INTO tenants (tenant, created) SELECT 't' || n, '2026-01-01T00:00:00.000Z' FROM numbers;
    INSERT INTO index_revisions (tenant, type, revision, changes)
      SELECT tenant, type, 1, 2 FROM tenants, (SELECT 'User' AS type UNION SELECT 'Group');
    INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, progress, built)
      SELECT tenant, type, 'title', 'schema', 'ready', '2026-01-01T00:00:00.000Z', '', 0 FROM index_revisions`);
  database.close();
  return path;
}

/** An executor that notes each statement with the rows that it answered. */
function noting(executor: Executor, noted: (readonly [text: string, rows: number])[]): Executor {
  function* watched<Result>(steps: Steps<Result>): Steps<Result> {
    let rows: readonly Row[] = [];
    let step = steps.next({ rows, changes: 0 });
    while (step.done !== true) {
      const answer = yield step.value;
      ({ rows } = answer);
      if (typeof step.value !== "symbol" && "text" in step.value) noted.push([step.value.text, rows.length]);
      step = steps.next(answer);
    }
    return step.value;
  }
  return {
    ...executor,
    read: (steps) => executor.read(watched(steps)),
    snapshot: (steps) => executor.snapshot(watched(typeof steps === "function" ? steps() : steps)),
  };
}

test("a look for work on indexes reads some hundred rows, however many tenants there are", async () => {
  const path = await manyTenants();
  const { executor, dialect } = beneath(await open(path));
  const noted: (readonly [text: string, rows: number])[] = [];
  const keeper = new IndexKeeper({ executor: noting(executor, noted), dialect, interval: 1 });
  onTestFinished(() => keeper.stop());
  keeper.maintain({ wanted: () => [], entries: () => null });
  // Each look ends with a look for what is unsettled.
  const ends = (): readonly number[] =>
    noted.flatMap(([text], at) => (text.includes("indexed_version") ? [at] : []));
  await vi.waitFor(() => expect(ends().length).toBeGreaterThan(4), 10_000);
  const [from = 0, to = 0] = ends().slice(2, 4);
  const look = noted.slice(from, to);
  const database = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => database.close());
  const plans = look.map(([text]) => database.prepare(`EXPLAIN QUERY PLAN ${text}`).all());
  expect(look.reduce((sum, [, rows]) => sum + rows, 0)).toBeLessThan(TENANTS / 4);
  expect(JSON.stringify(plans)).not.toMatch(
    /SCAN (?:tenants|index_revisions|v|i)\b(?! USING INDEX attribute_indexes_unready)/,
  );
});

test("between the schemas of two tenants others have their turn", async () => {
  const store = await open(newFile(), { indexes: { interval: 1_000_000_000 } });
  for (const tenant of ["north", "south", "west"]) await store.tenants.add(sampleTenant(tenant));
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const asked: number[] = [];
  await store.indexes.work(async () => {
    asked.push(turns);
    return { wanted: () => [], entries: () => null };
  });
  isOver = true;
  expect(asked).toHaveLength(4);
  expect(new Set(asked).size).toBe(4);
});
