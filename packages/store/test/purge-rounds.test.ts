/**
 * What is purged batch by batch, where many tenants have nothing that is due.
 */
import type { ChainEnd, Checkpoint } from "@scim/events";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import type { Store } from "../src/store.ts";
import { newFile, open } from "./support/folders.ts";

const TENANTS = 200;
const [OLD, NEW] = ["2020-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
const BEFORE = "2025-01-01T00:00:00.000Z";
/** Rows that one call removes. */
const LIMIT = 10;

/** Each tenant has one row that is new; two of them have others that are old. */
const ROWS = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 43),
    tenants (tenant, n) AS (SELECT 't' || (1000 + t.n), 100 FROM (
        WITH RECURSIVE all_of (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_of WHERE n < ${TENANTS}) SELECT n FROM all_of) t
      UNION ALL SELECT 't1120', n FROM numbers UNION ALL SELECT 't1180', n FROM numbers)
  SELECT tenant, n, CASE WHEN n = 100 THEN '${NEW}' ELSE '${OLD}' END AS at FROM tenants`;

const FILL = `
  INSERT INTO events (tenant, transaction_number, sequence, position, at, connection, kind, type, id, version, changed)
    SELECT tenant, n, 0, n, at, 'c', 'created', 'User', 'u' || n, '1-x', '[]' FROM (${ROWS});
  INSERT INTO audit_entries (tenant, position, at, type, id, entry, hash)
    SELECT tenant, n, at, 'User', 'u' || n, '{}', 'h' FROM (${ROWS});
  INSERT INTO event_heads (tenant, position) SELECT DISTINCT tenant, 100 FROM events;
  INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, deleted, body)
    SELECT tenant, 'User', 'u' || n, 'c', 1, '1-x', at, at, at, '{}' FROM (${ROWS})`;

function sign(_tenant: string, end: ChainEnd): Checkpoint {
  return { ...end, at: NEW, key: "k", signature: "s" };
}

const PURGES: readonly (readonly [string, (store: Store) => Promise<number>])[] = [
  ["events", ({ events }) => events.purge(BEFORE, LIMIT, NEW)],
  [
    "entries of the audit log",
    ({ audit }) => audit.purge({ before: BEFORE, present: NEW, limit: LIMIT, sign }),
  ],
  ["deleted resources", ({ resources }) => resources.purge(BEFORE, LIMIT)],
];

let path = "";

beforeEach(async () => {
  path = newFile();
  await (await open(path)).close();
  const database = new DatabaseSync(path);
  database.exec(FILL);
  database.close();
});

test.each(PURGES)("%s go batch by batch, and the tenants before are looked at once", async (_what, purge) => {
  const store = await open(path);
  const run = vi.spyOn(SqliteConnection.prototype, "run");
  onTestFinished(() => run.mockRestore());
  const removed: number[] = [];
  const statements: number[] = [];
  do {
    run.mockClear();
    removed.push(await purge(store));
    statements.push(run.mock.calls.length);
  } while (removed.at(-1) === LIMIT);
  expect(removed).toEqual([...Array.from({ length: 8 }, () => LIMIT), 6]);
  // The last goes through all, to be sure that nothing is left.
  const all = statements.at(-1) ?? 0;
  expect(statements.reduce((sum, count) => sum + count, 0)).toBeLessThan(3 * all);
  expect(await purge(store)).toBe(0);
});
