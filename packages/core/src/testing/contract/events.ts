/**
 * Rules of a store's events.
 * @module
 */
import { EVENT_VALUES } from "../../store/event-feed.ts";
import type { StoreScope } from "../../store/port.ts";
import { expectEqual, expectOneOf, expectTrue } from "./expect.ts";
import { COLLECTION_EVENT_RULES } from "./collection-events.ts";
import { ALL, assignAll, assignSome, positionsOf, readAll } from "./positions.ts";
import { PURGING_RULES } from "./purged-events.ts";
import { IMPORTED_RULE } from "./imported-events.ts";
import { RESTORED_RULE } from "./restored-event.ts";
import type { EventFeedRule, StoreWithEvents } from "./rule.ts";
import { adding, AT, createPlan, deletePlan, fetchOne, removing, SCOPE, seed, updatePlan } from "./sample.ts";

const SOUTH: StoreScope = { tenant: "south", connection: "second" };
const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const ORIGIN = { request: "r-1", credential: "c-1", admin: "Zoë", address: "2001:db8::1" } as const;
const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["b", "a"] } as const;

/** The positions of so many events. */
function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** New users, one write each. */
async function seedUsers(
  { resources }: StoreWithEvents,
  ids: readonly string[],
  scope = SCOPE,
): Promise<void> {
  for (const id of ids) await seed(resources, [{ type: "User", id, body: { userName: id } }], scope);
}

/**
 * The contract of a store's events, as data without a test runner.
 *
 * @example
 * for (const { rule, name, run } of EVENT_FEED_CONTRACT) {
 *   test(`${rule}: ${name}`, () => run(openEmptyStore));
 * }
 */
export const EVENT_FEED_CONTRACT: readonly EventFeedRule[] = [
  {
    rule: "event/empty",
    name: "a tenant without events has head 0, nothing to read and nothing to give",
    run: async (open) => {
      const store = await open();
      expectEqual(await store.events.head("north"), 0, "head");
      expectEqual(await readAll(store), [], "events");
      expectEqual(await store.events.assign(ALL), 0, "given");
    },
  },
  {
    rule: "event/after-commit",
    name: "an event is read once it has a position, and not before",
    run: async (open) => {
      const store = await open();
      await seedUsers(store, ["u1"]);
      expectEqual(await readAll(store), [], "before");
      expectEqual(await store.events.head("north"), 0, "head before");
      await assignAll(store, 1);
      expectEqual(positionsOf(await readAll(store)), [1], "positions");
      expectEqual(await store.events.head("north"), 1, "head");
    },
  },
  RESTORED_RULE,
  IMPORTED_RULE,
  {
    rule: "event/content",
    name: "an event tells who did what to which resource, with its JSON before and after",
    run: async (open) => {
      const store = await open();
      const [plain, titled] = [ANNA.body, { userName: "anna", title: "Dr" }];
      await seed(store.resources, [ANNA], { ...SCOPE, connection: "second" });
      const created = await fetchOne(store.resources, ANNA);
      const change = updatePlan(created, { body: titled, at: "2026-03-02T08:00:00.000Z" });
      await store.resources.write(SCOPE, {
        ...change,
        event: { ...change.event, subject: "u9", origin: ORIGIN },
      });
      const changed = await fetchOne(store.resources, ANNA);
      const deletion = await store.resources.write(SCOPE, deletePlan(changed));
      await assignAll(store, 3);
      const common = {
        at: AT,
        connection: "first",
        origin: null,
        subject: null,
        type: "User",
        id: "u1",
        collections: [],
      };
      const gone = deletion.kind === "written" ? deletion.version : null;
      expectEqual(
        await readAll(store),
        [
          {
            ...common,
            position: 1,
            connection: "second",
            kind: "created",
            version: created.version,
            versionBefore: null,
            changed: ["userName"],
            before: null,
            after: plain,
          },
          {
            ...common,
            position: 2,
            at: "2026-03-02T08:00:00.000Z",
            subject: "u9",
            origin: ORIGIN,
            kind: "patched",
            version: changed.version,
            versionBefore: created.version,
            changed: ["userName", "title"],
            before: plain,
            after: titled,
          },
          {
            ...common,
            position: 3,
            kind: "deleted",
            version: gone,
            versionBefore: changed.version,
            changed: [],
            before: titled,
            after: null,
          },
        ],
        "events",
      );
    },
  },
  {
    rule: "event/collections",
    name: "an event tells what came to and went from collections, and of many values how many",
    run: async (open) => {
      const store = await open();
      await seed(store.resources, [GROUP]);
      const [few, many] = [EVENT_VALUES, EVENT_VALUES + 1].map((count) => upTo(count).map((n) => `m${n}`));
      const deltas = [
        { ...adding("c"), remove: ["a"] },
        adding(...(few ?? [])),
        removing(...(few ?? [])),
        adding(...(many ?? [])),
        { ...adding(), remove: "all" } as const,
      ];
      for (const delta of deltas) {
        const group = await fetchOne(store.resources, GROUP);
        await store.resources.write(SCOPE, updatePlan(group, { collections: [delta] }));
      }
      await assignAll(store, 6);
      const path = "members";
      const events = await readAll(store);
      expectEqual(
        events.map(({ collections }) => collections),
        [
          [{ path, removed: [], added: ["b", "a"] }],
          [{ path, removed: ["a"], added: ["c"] }],
          [{ path, removed: [], added: few }],
          [{ path, removed: few, added: [] }],
          [{ path, removed: [], added: EVENT_VALUES + 1 }],
          [{ path, removed: "all", added: [] }],
        ],
        "collections",
      );
      expectTrue(
        events.slice(1).every(({ before, after }) => before === null && after === null),
        "no JSON where only collections changed",
      );
    },
  },
  ...COLLECTION_EVENT_RULES,
  {
    rule: "event/positions",
    name: "positions follow the order of writes without gaps, at most so many at a time",
    run: async (open) => {
      const store = await open();
      // In no order of ids.
      const ids = upTo(7).map((n) => `u${(n * 3) % 7}`);
      await seedUsers(store, ids);
      const first = await assignSome(store, 3);
      expectOneOf(first, [1, 2, 3], "first");
      expectEqual(await store.events.head("north"), first, "head");
      await assignAll(store, 7 - first, 3);
      const events = await readAll(store);
      expectEqual(positionsOf(events), upTo(7), "positions");
      expectEqual(
        events.map(({ id }) => id),
        ids,
        "order",
      );
    },
  },
  {
    rule: "event/page-bytes",
    name: "a page ends behind the event by which it comes to so many bytes, and holds one at least",
    run: async (open) => {
      const store = await open();
      for (const id of ["u1", "u2", "u3", "u4"])
        await seed(store.resources, [{ type: "User", id, body: { userName: id, title: "x".repeat(4000) } }]);
      await assignAll(store, 4);
      const read = async (after: number, bytes: number, limit = 10) =>
        positionsOf(await store.events.read("north", { after, limit, bytes }));
      expectEqual(await read(0, 1), [1], "one at least");
      expectEqual(await read(1, 9000), [2, 3, 4], "up to the bytes");
      expectEqual(await read(0, 9000, 2), [1, 2], "up to the limit");
      expectEqual(await read(0, 9000), [1, 2, 3], "from the beginning");
      expectEqual(await read(4, 9000), [], "behind the last");
    },
  },
  {
    rule: "event/pages",
    name: "a reader gets what lies behind a position, at most so many, and what comes later from there on",
    run: async (open) => {
      const store = await open();
      await seedUsers(store, ["u1", "u2", "u3"]);
      await assignAll(store, 3);
      const page = async (after: number, limit: number): Promise<readonly number[]> =>
        positionsOf(await store.events.read("north", { after, limit }));
      expectEqual(await page(0, 2), [1, 2], "first page");
      expectEqual(await page(2, 2), [3], "last page");
      expectEqual(await page(3, 2), [], "behind the last");
      await seedUsers(store, ["u4"]);
      await assignAll(store, 1);
      expectEqual(await page(3, 2), [4], "later");
    },
  },
  {
    rule: "event/tenants",
    name: "each tenant has positions and events of its own; none waits for another",
    run: async (open) => {
      const store = await open();
      await seedUsers(store, ["u0"]);
      await assignAll(store, 1);
      expectEqual(
        [await readAll(store, "south"), await store.events.head("south")],
        [[], 0],
        "south, none yet",
      );
      const purged = await store.events.purge((tenant) => (tenant === "south" ? "2027" : ""), ALL);
      expectEqual(purged, 0, "removed by the instant of another tenant");
      await seedUsers(store, ["u1"], SOUTH);
      await seedUsers(store, ["u1", "u2", "u3"]);
      const first = await assignSome(store, 1);
      expectEqual(positionsOf(await readAll(store, "south")), [1], "south, at once");
      expectOneOf(positionsOf(await readAll(store)), [[1], [1, 2]], "north, at most one more");
      await assignAll(store, 4 - first);
      const [south] = await readAll(store, "south");
      expectEqual([south?.connection, await store.events.head("south")], ["second", 1], "south's own");
      expectEqual(positionsOf(await readAll(store)), [1, 2, 3, 4], "north in the end");
      const gone = await store.events.purge((tenant) => (tenant === "south" ? "" : "2027"), ALL);
      expectEqual([gone, positionsOf(await readAll(store, "south"))], [4, [1]], "removed of north alone");
    },
  },
  {
    rule: "event/nothing-happened",
    name: "nothing is told of a plan that was refused or only previewed",
    run: async (open) => {
      const store = await open();
      await seed(store.resources, [ANNA]);
      const stored = await fetchOne(store.resources, ANNA);
      await store.resources.write(SCOPE, deletePlan({ ...stored, version: "1-other" }));
      await store.resources.write(SCOPE, createPlan(ANNA));
      await store.resources.write(SCOPE, createPlan({ ...ANNA, id: "u2" }));
      await store.resources.write(SCOPE, updatePlan({ ...stored, version: "1-other" }, { body: ANNA.body }));
      await store.resources.preview(SCOPE, deletePlan(stored));
      await store.resources.preview(SCOPE, createPlan({ ...ANNA, id: "u4", body: { userName: "dora" } }));
      await seedUsers(store, ["u3"]);
      await assignAll(store, 2);
      expectEqual(
        (await readAll(store)).map(({ id }) => id),
        ["u1", "u3"],
        "events",
      );
    },
  },
  ...PURGING_RULES,
  {
    rule: "event/one-giver",
    name: "of many that give positions while others write, none gives one twice or leaves one out",
    run: async (open) => {
      const store = await open();
      const writing = upTo(8).map(async (n) => {
        for (const each of upTo(5)) await seedUsers(store, [`u${n}-${each}`]);
      });
      const giving = upTo(4).map(async () => {
        let given = 0;
        for (let round = 0; round < 25; round += 1) given += await store.events.assign(2);
        return given;
      });
      const [given] = await Promise.all([Promise.all(giving), Promise.all(writing)]);
      const before = given.reduce((sum, each) => sum + each, 0);
      await assignAll(store, 40 - before);
      const events = await readAll(store);
      expectEqual(positionsOf(events), upTo(40), "positions");
      expectEqual(new Set(events.map(({ id }) => id)).size, 40, "each event once");
    },
  },
];
