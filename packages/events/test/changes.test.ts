import { createMemoryStore, seed, type MemoryStore } from "@scim/core/testing";
import { describe, expect, test } from "vitest";
import { followChanges, PositionAhead, PositionGone, readChanges } from "../src/index.ts";

const OLD = "2026-01-01T00:00:00.000Z";
const NEW = "2026-02-01T00:00:00.000Z";

async function add(store: MemoryStore, ids: readonly string[], at = NEW): Promise<void> {
  for (const id of ids) await seed(store, [{ type: "User", id, body: { userName: id }, at }]);
  await store.events.assign(100);
}

/** Five events, of which the first three are not kept. */
async function purged(): Promise<MemoryStore> {
  const store = createMemoryStore();
  await add(store, ["u1", "u2", "u3"], OLD);
  await add(store, ["u4", "u5"]);
  await store.events.purge(NEW, 100);
  return store;
}

async function read(store: MemoryStore, since: number | null, limit = 10) {
  const { events, next, more } = await readChanges(store.events, "north", { since, limit });
  return { ids: events.map(({ id }) => id), next, more };
}

describe("reading changes", () => {
  test.each([
    ["from the first that is kept", null, 10, { ids: ["u4", "u5"], next: 5, more: false }],
    ["behind the last that went", 3, 10, { ids: ["u4", "u5"], next: 5, more: false }],
    ["so many", null, 1, { ids: ["u4"], next: 4, more: true }],
    ["behind a position", 4, 10, { ids: ["u5"], next: 5, more: false }],
    ["where nothing is new", 5, 10, { ids: [], next: 5, more: false }],
  ] as const)("%s", async (_name, since, limit, expected) => {
    expect(await read(await purged(), since, limit)).toEqual(expected);
  });

  test("a position whose events are not kept is gone, and the oldest that is there is told", async () => {
    const store = await purged();
    await expect(read(store, 2)).rejects.toThrow(new PositionGone(4));
    await expect(read(store, 0)).rejects.toMatchObject({ oldest: 4 });
    await store.events.purge("2027-01-01T00:00:00.000Z", 100);
    await expect(read(store, 4)).rejects.toMatchObject({ oldest: 6 });
    expect(await read(store, 5)).toEqual({ ids: [], next: 5, more: false });
    expect(await read(store, null)).toEqual({ ids: [], next: 5, more: false });
  });

  test("a position that was never given is refused: a backup may have been restored", async () => {
    await expect(read(await purged(), 6)).rejects.toThrow(PositionAhead);
    expect(await read(createMemoryStore(), null)).toEqual({ ids: [], next: 0, more: false });
  });
});

describe("following changes", () => {
  test("goes on with what comes, and looks only when the reader has taken what was there", async () => {
    const store = await purged();
    const stopping = new AbortController();
    let pauses = 0;
    const seen: string[] = [];
    const pages = followChanges(store.events, "north", {
      since: null,
      limit: 1,
      signal: stopping.signal,
      pause: async () => {
        pauses += 1;
        if (pauses === 1) await add(store, ["u6"]);
        else stopping.abort();
      },
    });
    for await (const { events } of pages) seen.push(...events.map(({ id }) => id));
    expect(seen).toEqual(["u4", "u5", "u6"]);
    expect(pauses).toBe(2);
  });

  test("ends where events that the reader has not seen are not kept any more", async () => {
    const store = await purged();
    const pages = followChanges(store.events, "north", {
      since: 3,
      limit: 1,
      signal: new AbortController().signal,
      pause: () => Promise.reject(new TypeError("There is more to read.")),
    });
    expect((await pages.next()).value?.next).toBe(4);
    await add(store, ["u6"]);
    await store.events.purge("2027-01-01T00:00:00.000Z", 100);
    await expect(pages.next()).rejects.toThrow(PositionGone);
  });
});
