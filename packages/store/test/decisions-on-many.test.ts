import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AdminDecision } from "@scim/events";
import { sampleReceiver } from "@scim/events/testing";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { migratedFiles, open } from "./support/folders.ts";

const MANY = 3000;
const BY_ADA: AdminDecision = { actor: { admin: "ada" }, at: "2026-11-02T08:00:00.000Z" };
const RECEIVER = sampleReceiver();
const NUMBERS = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})`;

/** Held changes of a connection, and one of another. */
const HELD = `${NUMBERS} INSERT INTO guard_held
    (tenant, connection, measure, type, resource, id, first_at, last_at, tries, changes, removed, released)
  SELECT 'acme', CASE n WHEN 7 THEN 'entra' ELSE 'okta' END, 'deletions', 'User', 'u' || n, 'h' || n, '2026', '2026', 1, '[]',
    '{"values":[],"count":1}', NULL FROM numbers`;

/** Dead letters of a receiver, and one of another. */
const DEAD = `${NUMBERS} INSERT INTO event_deliveries
    (tenant, receiver, position, type, id, state, attempts, since, next, problem)
  SELECT '${RECEIVER.tenant}', CASE n WHEN 7 THEN 'other' ELSE '${RECEIVER.id}' END, n, 'User', 'u' || n, 'dead', 9, '2026', '2026',
    NULL FROM numbers`;

interface OnMany {
  readonly name: string;
  readonly planted: string;
  readonly decide: (store: Store) => Promise<unknown>;
  /** How many are decided on; true where that is not told. */
  readonly answers: number | true;
  /** Which rows are as they were. */
  readonly left: string;
}

const WHOLE = { connection: "okta" };
const LEFT_HELD = "SELECT id FROM guard_held WHERE released IS NULL";
const LEFT_DEAD = "SELECT 'h' || position AS id FROM event_deliveries WHERE state = 'dead'";

const ON_MANY: readonly OnMany[] = [
  {
    name: "held changes are released",
    planted: HELD,
    decide: ({ guard }) => guard.release("acme", WHOLE, BY_ADA),
    answers: MANY - 1,
    left: LEFT_HELD,
  },
  {
    name: "held changes are dismissed",
    planted: HELD,
    decide: ({ guard }) => guard.dismiss("acme", WHOLE, BY_ADA),
    answers: MANY - 1,
    left: LEFT_HELD,
  },
  {
    name: "dead letters are delivered again",
    planted: DEAD,
    decide: ({ receivers }) => receivers.revive(RECEIVER, null, BY_ADA),
    answers: MANY - 1,
    left: LEFT_DEAD,
  },
  {
    name: "dead letters are dropped",
    planted: DEAD,
    decide: ({ receivers }) => receivers.drop(RECEIVER, null, BY_ADA),
    answers: MANY - 1,
    left: LEFT_DEAD,
  },
  {
    name: "what was set aside goes, since a receiver is set back",
    planted: DEAD,
    decide: ({ receivers }) => receivers.rewind(RECEIVER, 0, BY_ADA),
    answers: true,
    left: LEFT_DEAD,
  },
  {
    name: "what was set aside goes with its receiver",
    planted: DEAD,
    decide: ({ receivers }) => receivers.remove(RECEIVER, BY_ADA),
    answers: true,
    left: LEFT_DEAD,
  },
];

describe("where thousands of", () => {
  const migrated = migratedFiles();

  test("held changes are counted, others have their turn, and those that are released are not counted", async () => {
    const path = migrated();
    const database = new DatabaseSync(path);
    const most = 30_000;
    database.exec(HELD.replace(`n < ${MANY}`, `n < ${most}`));
    database.exec("UPDATE guard_held SET type = 'Group' WHERE id IN ('h9', 'h10')");
    database.exec("UPDATE guard_held SET released = '2026' WHERE id IN ('h7', 'h5000', 'h5001')");
    database.close();
    const store = await open(path);
    const progress = { done: false };
    const counting = store.heldChanges().finally(() => (progress.done = true));
    let turns = 0;
    for (; !progress.done; turns += 1) await nextTurn();
    expect(await counting).toEqual(new Map([["acme", most - 3]]));
    expect(turns).toBeGreaterThan(5);
  });

  test.each(ON_MANY)("$name, others have their turn", async ({ planted, decide, answers, left }) => {
    const path = migrated();
    const database = new DatabaseSync(path);
    database.exec(planted);
    const store = await open(path);
    await store.receivers.add(RECEIVER);
    const rows = database.prepare(left);
    const decided = decide(store);
    let turns = 0;
    // Nobody sees any of it before all of it is done.
    for (; rows.all().length === MANY; turns += 1) await nextTurn();
    expect(rows.all()).toEqual([{ id: "h7" }]);
    // A write of few rows waits for one or two.
    expect(turns).toBeGreaterThan(5);
    expect(await decided).toBe(answers);
    database.close();
  });
});
