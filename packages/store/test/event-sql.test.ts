import { SCOPE, seed } from "@scim/core/testing";
import { SAMPLE_AUDIT } from "@scim/events/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { linkPlaced } from "../src/audit/link-events.ts";
import { assignPositions } from "../src/events/assign-positions.ts";
import { FreshEvents } from "../src/events/fresh-events.ts";
import { readEvents, readUnlinked } from "../src/events/read-events.ts";
import { sql } from "../src/sql.ts";
import { countOf, isBatch, NO_ANSWER, type Steps } from "../src/steps.ts";
import { emptyDatabase } from "./support/engines.ts";
import { openAddress } from "./support/open-address.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";
import { plainPostgres, type PlainExecutor } from "./support/plain-executor.ts";

interface Told {
  /** The first so many have a position. */
  readonly placed?: number;
  readonly waiting: number;
  /** The transaction before theirs: by default all are long over. */
  readonly behind?: number;
}

/** Writes events of a tenant, one of each transaction. */
async function tell(
  executor: PlainExecutor,
  tenant: string,
  { placed = 0, waiting, behind = -1_000_000 }: Told,
): Promise<void> {
  await executor.run(sql`WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${placed + waiting})
    INSERT INTO events (tenant, transaction_number, sequence, position, at, connection, kind, type, id, version, changed)
    SELECT ${tenant}, CAST(n AS bigint) + ${behind}, 0, CASE WHEN n <= ${placed} THEN n END, '2026-01-01T00:00:00.000Z', 'first', 'created',
      'User', 'u' || n, '1-x', '[]' FROM numbers WHERE n <= ${placed + waiting}`);
  await executor.run(sql`INSERT INTO event_heads (tenant, position) VALUES (${tenant}, ${placed})`);
}

/** Steps without batches. */
function* oneByOne<Result>(steps: Steps<Result>): Steps<Result> {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    let answer = NO_ANSWER;
    if (typeof step.value === "symbol" || !isBatch(step.value)) answer = yield step.value;
    else for (const { statement } of step.value.batch) yield statement;
    step = steps.next(answer);
  }
  return step.value;
}

/** The ids behind a position, in order. */
function* idsOf(tenant: string, after = 0): Steps<readonly string[]> {
  return (yield* readEvents(tenant, { after, limit: 10_000 })).map(({ id }) => id);
}

describe.each(PLAIN_DATABASES)("%s", (_name, newDatabase) => {
  test("giving positions and reading behind one go by index, whatever has a position already", async () => {
    const { executor, dialect } = await newDatabase();
    await tell(executor, "north", { placed: 20_000, waiting: 50 });
    await tell(executor, "south", { placed: 5000, waiting: 0 });
    await tell(executor, "west", { waiting: 5 });
    // The last look begins behind the last tenant with events that wait: were nothing there, any index would do.
    await tell(executor, "zenith", { placed: 5000, waiting: 0 });
    await executor.run(sql`ANALYZE`);
    expect(await assignPositions({ executor, dialect }, 100)).toBe(55);
    expect(await executor.read(idsOf("north", 20_049))).toEqual(["u20050"]);
    for (const statement of executor.statements.filter(({ text }) => text.includes("events"))) {
      const plan = (await executor.explain(statement)).join("\n");
      // SQLite says SCAN of what it made itself; PostgreSQL names the index that it goes by.
      expect(plan, statement.text).not.toMatch(/SCAN events\b(?! USING)|Seq Scan on events\b/);
      expect(plan, statement.text).toMatch(/events_(without_)?position|event_heads/);
    }
  });

  test("long events are read and linked few at a time, those that are known here among others", async () => {
    const { executor, dialect } = await newDatabase();
    await tell(executor, "north", { placed: 5, waiting: 0 });
    const image = JSON.stringify({ nickName: "x".repeat(1_048_576) });
    await executor.run(
      sql`UPDATE events SET kind = 'patched', changed = '["nickName"]', before = ${image}, after = ${image}`,
    );
    const page = { after: 1, limit: 64, bytes: 5_000_000 };
    const freshEvents = new FreshEvents();
    const [, second] = await executor.read(readUnlinked("north", { after: 0, limit: 2 }, null));
    if (second === undefined) throw new TypeError("There is no second event");
    const positionsOf = async (fresh: FreshEvents | null): Promise<readonly number[]> =>
      (await executor.read(readUnlinked("north", page, fresh))).map(({ event }) => event.position);
    expect(await positionsOf(null)).toEqual([2, 3, 4]);
    freshEvents.add({ tenant: "north", event: { ...second.event, version: "2-x" }, size: 1 });
    await executor.run(sql`UPDATE events SET version = '2-x' WHERE position = 2`);
    expect(await positionsOf(freshEvents)).toEqual([2, 3, 4, 5]);

    const asked = executor.statements.length;
    await executor.write(function* link() {
      yield* oneByOne(
        linkPlaced({ audit: SAMPLE_AUDIT, dialect, freshEvents: null }, "north", { after: 0, limit: 5 }),
      );
      return { keep: true, result: undefined };
    });
    const read = executor.statements.slice(asked).filter(({ text }) => text.includes("version_before"));
    expect(read).toHaveLength(3);
    const { rows } = await executor.run(sql`SELECT position FROM audit_entries ORDER BY position`);
    expect(rows.map(({ position }) => Number(position))).toEqual([1, 2, 3, 4, 5]);
  });

  test("of tenants that have nothing new none is looked at", async () => {
    const { executor, dialect } = await newDatabase();
    for (let n = 10; n < 60; n += 1) await tell(executor, `t${n}`, { placed: 3, waiting: 0 });
    await tell(executor, "t35x", { waiting: 1 });
    await executor.run(sql`ANALYZE`);
    expect(await assignPositions({ executor, dialect }, 100)).toBe(1);
    const looked = executor.statements.length;
    expect(await assignPositions({ executor, dialect }, 100)).toBe(0);
    // One look for a tenant that waits, and on PostgreSQL one at the transactions under way.
    expect(executor.statements.length - looked).toBeLessThanOrEqual(2);
  });

  test("what else becomes of events comes with their positions or not at all, and holds up no other tenant", async () => {
    const { executor, dialect } = await newDatabase();
    await tell(executor, "north", { waiting: 4 });
    await tell(executor, "south", { waiting: 2 });
    const seen: (readonly [string, readonly number[]])[] = [];
    const broken = new Set(["north"]);
    const give = (): Promise<number> =>
      assignPositions(
        {
          executor,
          dialect,
          *onPlaced(tenant, page) {
            const events = yield* readEvents(tenant, page);
            seen.push([tenant, events.map(({ position }) => position)]);
            yield sql`UPDATE event_heads SET position = position WHERE tenant = ${tenant}`;
            if (broken.has(tenant)) throw new TypeError("the chain is broken");
          },
        },
        3,
      );
    await expect(give()).rejects.toMatchObject({
      tenant: "north",
      cause: new TypeError("the chain is broken"),
    });
    expect(await executor.read(idsOf("north"))).toEqual([]);
    expect(await executor.read(idsOf("south"))).toEqual(["u1", "u2"]);
    broken.clear();
    expect(await give()).toBe(3);
    expect(await give()).toBe(1);
    expect(seen).toEqual([
      ["north", [1, 2, 3]],
      ["south", [1, 2]],
      ["north", [1, 2, 3]],
      ["north", [4]],
    ]);
    expect(await executor.read(idsOf("north"))).toEqual(["u1", "u2", "u3", "u4"]);
  });
});

test("PostgreSQL: events from a server that had counted further get their positions", async () => {
  const address = await emptyDatabase();
  const executor = await plainPostgres(address);
  await tell(executor, "north", { waiting: 3, behind: 1_000_000_000_000 });
  const store = await openAddress(address);
  onTestFinished(() => store.close());
  expect(await store.events.assign(100)).toBe(3);
  expect(await executor.read(idsOf("north"))).toEqual(["u1", "u2", "u3"]);
});

test("PostgreSQL: a server that counts transactions anew writes beside events that have their numbers", async () => {
  const address = await emptyDatabase();
  const executor = await plainPostgres(address);
  const now = await executor.run(sql`SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS n`);
  const taken = 2000;
  await tell(executor, SCOPE.tenant, { placed: taken, waiting: 0, behind: countOf(now, "n") });
  const store = await openAddress(address);
  onTestFinished(() => store.close());
  const ids = Array.from({ length: 20 }, (_, index) => `new${index}`);
  await seed(
    store.resources,
    ids.map((id) => ({ type: "User", id, body: { userName: id } })),
  );
  const { rows } = await executor.run(
    sql`SELECT max(transaction_number) AS n FROM events WHERE position IS NULL`,
  );
  expect(countOf({ rows, changes: 0 }, "n")).toBeLessThan(countOf(now, "n") + taken);
});
