import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "./support/child.ts";
import { emptyDatabase } from "./support/engines.ts";
import { followedEvents } from "./support/followed-events.ts";
import { openAddress } from "./support/open-address.ts";
import { writeEvents } from "./support/written-events.ts";

const SESSIONS = 4;
/** Transactions of each session. */
const EACH = 2450;
/** Writes through the store. */
const WRITES = 200;
const LATER = SESSIONS * EACH + WRITES;

/** An event as a write tells it, with the numbers of the transaction that is open. */
const tell = (id: string): string => `INSERT INTO events
  (tenant, transaction_number, sequence, at, connection, kind, type, id, version, changed)
  VALUES ('north', CAST(CAST(pg_current_xact_id() AS text) AS bigint), 0, '2026-01-01T00:00:00.000Z', 'first',
    'created', 'Badge', ${id}, '1-x', '[]')`;

async function newSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Transactions that tell of a write each, one after another in a session of their own. */
async function tellInTurn(url: string, name: string): Promise<void> {
  const session = await newSession(url);
  await session.query(`DO $$ BEGIN
    FOR number IN 1..${EACH} LOOP ${tell(`'${name}-' || number`)}; COMMIT; END LOOP;
  END $$`);
}

test(`PostgreSQL: while a transaction is open and ${LATER} later ones commit in ${SESSIONS} sessions, no reader passes it by, and each gets each event once, in order`, async () => {
  const url = await emptyDatabase();
  const stores = [await openAddress(url), await openAddress(url)] as const;
  for (const each of stores) onTestFinished(() => each.close());
  const [store] = stores;
  const late = await newSession(url);
  await late.query("BEGIN");
  await late.query(tell("'late'"));
  const readers = stores.map(async (each) => followedEvents(each, "north", LATER + 1));
  const giver = startChild("place-events.ts", url, "500");
  await giver.speaking;
  const sessions = Array.from({ length: SESSIONS }, (_, index) => `s${index}`);
  await Promise.all([
    writeEvents(store, "w", WRITES),
    ...sessions.map(async (name) => tellInTurn(url, name)),
  ]);

  // All are committed but the first, and what is behind it waits.
  expect(await store.events.assign(1000)).toBe(0);
  expect(await store.events.head("north")).toBe(0);
  await late.query("COMMIT");
  const read = await Promise.all(readers);

  const [first = []] = read;
  for (const ids of read) expect(ids).toEqual(first);
  expect(first[0]).toBe("late");
  const written = (name: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
  const all = [...written("w", WRITES), ...sessions.flatMap((name) => written(name, EACH))];
  expect(first.slice(1).toSorted()).toEqual(all.toSorted());
  expect(await store.events.head("north")).toBe(LATER + 1);
});

test("PostgreSQL: what committed before a transaction that is open has its position, and what is behind that one waits", async () => {
  const url = await emptyDatabase();
  const store = await openAddress(url);
  onTestFinished(() => store.close());
  const session = await newSession(url);
  await session.query(tell("'early'"));
  await session.query("BEGIN");
  await session.query(tell("'late'"));
  await writeEvents(store, "w", 1);
  // Transactions of other databases may be under way for a moment.
  const placed = async (count: number): Promise<void> => {
    while ((await store.events.head("north")) < count) await store.events.assign(1000);
  };
  await placed(1);
  expect([await store.events.assign(1000), await store.events.head("north")]).toEqual([0, 1]);
  await session.query("COMMIT");
  await placed(3);
  const events = await store.events.read("north", { after: 0, limit: 9 });
  expect(events.map(({ id }) => id)).toEqual(["early", "late", "w-1"]);
});
