import {
  adding,
  createPlan,
  fetchOne,
  filterOf,
  indexPage,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import { describe, expect, test, vi } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { canKeepNames, PGBOUNCER, startPgBouncer } from "./support/pgbouncer.ts";
import { recordStatements } from "./support/recorded-statements.ts";

const recorded = recordStatements();

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const WRITERS = 24;

/** Conditional writes, conflicts, queries and long reads of many clients at once. */
async function work({ resources, events, tokens }: Store): Promise<void> {
  await seed(resources, [GROUP]);
  const acknowledged = await Promise.all(
    Array.from({ length: WRITERS }, async (_, at) => {
      const userName = `user-${at}`;
      const created = createPlan({ type: "User", id: userName, body: { userName } });
      expect(await resources.write(SCOPE, created)).toMatchObject({ kind: "written" });
      for (;;) {
        const group = await fetchOne(resources, GROUP);
        const plan = updatePlan(group, { collections: [adding(userName)] });
        const result = await resources.write(SCOPE, { ...plan, nonce: `${userName}-${plan.nonce}` });
        if (result.kind === "written") return userName;
      }
    }),
  );
  const group = await fetchOne(resources, GROUP, MEMBERS);
  const members = group.collections.get("members")?.map(({ value }) => value) ?? [];
  expect(members.toSorted()).toEqual(acknowledged.toSorted());
  const indexed = await resources.query(SCOPE, {
    type: "User",
    filter: filterOf("User", 'userName sw "user-1"'),
    sort: null,
    page: indexPage(0, 100),
    select: NOTHING,
  });
  expect(indexed).toMatchObject({ kind: "page", total: 11 });
  const filter = filterOf("User", 'title eq "Dr"');
  const unindexed = { type: "User", filter, sort: null, page: indexPage(0, 5), select: NOTHING };
  const scanned = await resources.query(SCOPE, unindexed);
  if (scanned.kind === "candidates") for await (const batch of scanned.batches) expect(batch).not.toBeNull();
  expect(await tokens.listTokens(SCOPE.tenant)).toEqual([]);
  expect(await resources.purge("2000-01-01T00:00:00.000Z", 10)).toBe(0);
  expect(events).toBeDefined();
}

/** What a pooler in transaction mode loses between two transactions, or shows to another client. */
const SESSION_STATE =
  /^\s*(?:SET(?! LOCAL)|RESET|DISCARD|LISTEN|UNLISTEN|NOTIFY|PREPARE|DEALLOCATE|DECLARE|LOAD)\b|\bpg_(?:try_)?advisory_lock|\bTEMP(?:ORARY)?\b|\bset_config\b|\bcurrval\b|\blastval\b/i;

describe("a pooler in transaction mode", () => {
  test("finds no session state: no statement makes any, and without names none is prepared", async () => {
    const store = await openPostgresAt(await emptyDatabase(), { preparedStatements: false });
    await work(store);
    const texts = [...recorded.statements.keys()];
    expect(texts.length).toBeGreaterThan(15);
    expect(texts.filter((text) => SESSION_STATE.test(text))).toEqual([]);
    for (const connection of [...recorded.connections].filter(({ isBroken }) => !isBroken)) {
      const [answer] = await connection.run([
        { text: "SELECT name FROM pg_prepared_statements", params: [] },
      ]);
      expect(answer?.rows).toEqual([]);
    }
  });

  test("may lose names of prepared statements: a read and a write go on without, and it is told once", async () => {
    const onUnkeptNames = vi.fn<() => void>();
    const others = new Set(recorded.connections);
    const store = await openPostgresAt(await emptyDatabase(), {
      preparedStatements: true,
      poolSize: 1,
      onUnkeptNames,
    });
    const create = async (id: string): Promise<void> => {
      const created = createPlan({ type: "User", id, body: { userName: id } });
      expect(await store.resources.write(SCOPE, created)).toMatchObject({ kind: "written" });
      expect(await fetchOne(store.resources, { type: "User", id })).toMatchObject({ id });
    };
    const forget = async (): Promise<void> => {
      const own = [...recorded.connections].filter((connection) => !others.has(connection));
      for (const connection of own) await connection.run([{ text: "DEALLOCATE ALL", params: [] }]);
    };
    await create("u1");
    expect(onUnkeptNames).not.toHaveBeenCalled();
    await forget();
    await create("u2");
    await forget();
    await create("u3");
    expect(onUnkeptNames).toHaveBeenCalledTimes(1);
  });

  test("is not suspected where statements fail when they are carried out for the first time", async () => {
    const url = await emptyDatabase();
    const { resources: others } = await openPostgresAt(url);
    await seed(others, [GROUP]);
    const onUnkeptNames = vi.fn<() => void>();
    const options = { preparedStatements: true, poolSize: 1, onUnkeptNames };
    const { resources } = await openPostgresAt(url, options);
    const plan = updatePlan(await fetchOne(others, GROUP), { body: { displayName: "two" } });
    for (let times = 0; times < 2; times += 1) {
      const outdated = resources.write(SCOPE, { ...plan, expectedVersion: "9-other" });
      expect(await outdated).toMatchObject({ kind: "conflict" });
      expect(await resources.write(SCOPE, createPlan(GROUP))).toMatchObject({ kind: "exists" });
    }
    expect(onUnkeptNames).not.toHaveBeenCalled();
  });

  test.each([
    "SET search_path = x",
    "LISTEN changes",
    "PREPARE s AS SELECT 1",
    "SELECT pg_advisory_lock(1)",
    "CREATE TEMP TABLE t (a int)",
    "SELECT set_config('a', 'b', false)",
  ])("would lose %s", (text) => {
    expect(text).toMatch(SESSION_STATE);
  });

  test.each([
    "SET LOCAL statement_timeout = 5",
    "SELECT pg_advisory_xact_lock(1)",
    "SELECT temperature FROM t",
  ])("would keep %s", (text) => {
    expect(text).not.toMatch(SESSION_STATE);
  });
});

// Where the program is not installed, the tests above say what it would ask for.
describe.each(PGBOUNCER === null ? [] : [PGBOUNCER])("through PgBouncer, %s", (program) => {
  const known = [
    { preparedStatements: false, keptNames: 0, told: 0 },
    { preparedStatements: true, keptNames: 0, told: 1 },
    { preparedStatements: true, keptNames: 100, told: 0 },
  ];
  test.each(known.filter(({ keptNames }) => keptNames === 0 || canKeepNames(program)))(
    "two sessions serve many clients, names of statements: $preparedStatements, of which it keeps $keptNames",
    async ({ preparedStatements, keptNames, told }) => {
      const url = await startPgBouncer(program, await emptyDatabase(), keptNames);
      const onUnkeptNames = vi.fn<() => void>();
      const store = await openPostgresAt(url, { preparedStatements, poolSize: 12, onUnkeptNames });
      await expect(work(store)).resolves.toBeUndefined();
      expect(onUnkeptNames).toHaveBeenCalledTimes(told);
    },
  );
});
