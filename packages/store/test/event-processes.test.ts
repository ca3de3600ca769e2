import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "./support/child.ts";
import { emptyDatabase } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { openAddress } from "./support/open-address.ts";

const WRITERS = 2;
const EACH = 250;
const READERS = 2;
/** Processes that give positions, one of which is killed and replaced again and again. */
const GIVERS = 2;

/** The ids that the writers write. */
const WRITTEN = Array.from({ length: WRITERS }, (_, writer) =>
  Array.from({ length: EACH }, (_unused, index) => `w${writer}-${index + 1}`),
).flat();

/** An empty database that has its schema. */
async function newSqliteFile(): Promise<string> {
  const path = newFile();
  await (await open(path)).close();
  return path;
}

test.each([
  ["SQLite", newSqliteFile],
  ["PostgreSQL", emptyDatabase],
])(
  "%s: readers get each event once and in order, while processes write, give positions, and are killed doing so",
  async (_name, newAddress) => {
    const address = await newAddress();
    const readers = Array.from({ length: READERS }, () =>
      startChild("follow-events.ts", address, "north", String(WRITTEN.length)),
    );
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      startChild("write-events.ts", address, `w${writer}`, String(EACH)),
    );
    const steady = Array.from({ length: GIVERS - 1 }, () => startChild("place-events.ts", address, "3"));
    let killed = 0;
    const finished = new AbortController();
    const killing = (async () => {
      while (!finished.signal.aborted || killed === 0) {
        const giver = startChild("place-events.ts", address, "3");
        await giver.speaking;
        await delay(Math.random() * 40);
        if (giver.process.kill("SIGKILL")) killed += 1;
      }
    })();
    await Promise.all(writers.map(({ printed }) => printed));
    const read = await Promise.all(readers.map(async ({ printed }) => JSON.parse(await printed) as string[]));
    finished.abort();
    await killing;

    const [first = []] = read;
    for (const ids of read) expect(ids).toEqual(first);
    expect(first.toSorted()).toEqual(WRITTEN.toSorted());
    expect(steady.map((giver) => giver.process.exitCode)).toEqual([null]);
    expect(killed).toBeGreaterThan(0);
    const store = await openAddress(address);
    onTestFinished(() => store.close());
    expect(await store.events.head("north")).toBe(WRITTEN.length);
  },
);
