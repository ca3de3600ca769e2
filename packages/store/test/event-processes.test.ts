import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Child, startChild } from "./support/child.ts";
import { emptyDatabase } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { followedEvents } from "./support/followed-events.ts";
import { openAddress } from "./support/open-address.ts";
import { writeEvents } from "./support/written-events.ts";

/** What each of two writers writes. */
const EACH = 200;
/** The ids that the writers write. */
const WRITTEN = ["beside", "here"].flatMap((writer) =>
  Array.from({ length: EACH }, (_, index) => `${writer}-${index + 1}`),
);
/** How many events have a position when one that gives them is killed. */
const KILLED_AT = [100, 200];

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
    const stores = [await openAddress(address), await openAddress(address)] as const;
    for (const each of stores) onTestFinished(() => each.close());
    const [store] = stores;
    const startGiver = (): Child => startChild("place-events.ts", address, "3");
    const steady = startGiver();
    const killed = KILLED_AT.map(startGiver);
    await Promise.all([steady, ...killed].map(({ speaking }) => speaking));
    const readers = stores.map(async (each) => followedEvents(each, "north", WRITTEN.length));
    const writers = [
      startChild("write-events.ts", address, "beside", String(EACH)).printed,
      writeEvents(store, "here", EACH),
    ];
    for (const [index, giver] of killed.entries()) {
      while ((await store.events.head("north")) < (KILLED_AT[index] ?? 0)) await delay(1);
      giver.process.kill("SIGKILL");
    }
    await Promise.all(writers);
    const read = await Promise.all(readers);

    const [first = []] = read;
    for (const ids of read) expect(ids).toEqual(first);
    expect(first.toSorted()).toEqual(WRITTEN.toSorted());
    expect(killed.map((giver) => giver.process.signalCode)).toEqual(KILLED_AT.map(() => "SIGKILL"));
    expect(steady.process.exitCode).toBeNull();
    expect(await store.events.head("north")).toBe(WRITTEN.length);
  },
);
