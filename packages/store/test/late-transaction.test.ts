import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "./support/child.ts";
import { emptyDatabase } from "./support/engines.ts";
import { openAddress } from "./support/open-address.ts";

const WRITERS = 4;
const EACH = 2500;
const READERS = 3;

/** An event as a write tells it, with the numbers of the transaction that is open. */
const TELL = `INSERT INTO events (tenant, transaction_number, sequence, at, connection, kind, type, id, version, changed)
  VALUES ('north', CAST(CAST(pg_current_xact_id() AS text) AS bigint), 0, '2026-01-01T00:00:00.000Z', 'first',
    'created', 'Badge', $1, '1-x', '[]')`;

/** A transaction that tells of a write and stays open. */
async function openTransaction(url: string, id: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  await client.query(TELL, [id]);
  return client;
}

test(`PostgreSQL: while a transaction is open and ${WRITERS * EACH} later ones commit from ${WRITERS} processes, no reader passes it by, and each gets each event once, in order`, async () => {
  const url = await emptyDatabase();
  const store = await openAddress(url);
  onTestFinished(() => store.close());
  const late = await openTransaction(url, "late");
  const count = WRITERS * EACH + 1;
  const readers = Array.from({ length: READERS }, () =>
    startChild("follow-events.ts", url, "north", String(count)),
  );
  const givers = [1, 2].map(() => startChild("place-events.ts", url, "500"));
  await Promise.all(givers.map(({ speaking }) => speaking));
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    startChild("write-events.ts", url, `w${writer}`, String(EACH)),
  );
  await Promise.all(writers.map(({ printed }) => printed));

  // All are committed but the first, and what is behind it waits.
  expect(await store.events.assign(1000)).toBe(0);
  expect(await store.events.head("north")).toBe(0);
  await late.query("COMMIT");
  const read = await Promise.all(readers.map(async ({ printed }) => JSON.parse(await printed) as string[]));

  const [first = []] = read;
  for (const ids of read) expect(ids).toEqual(first);
  expect(first[0]).toBe("late");
  const written = Array.from({ length: WRITERS }, (_, writer) =>
    Array.from({ length: EACH }, (_unused, index) => `w${writer}-${index + 1}`),
  ).flat();
  expect(first.slice(1).toSorted()).toEqual(written.toSorted());
  expect(await store.events.head("north")).toBe(count);
});
