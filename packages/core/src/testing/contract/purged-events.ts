/**
 * Rules of events that go.
 * @module
 */
import { expectEqual } from "./expect.ts";
import { ALL, assignAll, positionsOf, readAll } from "./positions.ts";
import type { EventFeedRule } from "./rule.ts";
import { seed } from "./sample.ts";

export const PURGING_RULES: readonly EventFeedRule[] = [
  {
    rule: "event/purge",
    name: "the first events go, as far as they are old and have a position; positions go on behind them",
    run: async (open) => {
      const store = await open();
      const at = (day: number): string => `2026-03-0${day}T08:00:00.000Z`;
      for (const [id, day] of [
        ["u1", 1],
        ["u2", 2],
        ["u3", 4],
        ["u4", 3],
      ] as const)
        await seed(store.resources, [{ type: "User", id, body: { userName: id }, at: at(day) }]);
      expectEqual(await store.events.purge(at(9), ALL), 0, "removed without a position");
      await assignAll(store, 4);
      await seed(store.resources, [{ type: "User", id: "u5", body: { userName: "u5" }, at: at(1) }]);
      expectEqual(await store.events.purge(at(4), 1), 1, "removed of one");
      expectEqual(await store.events.purge(at(4), ALL), 1, "removed of all");
      expectEqual(positionsOf(await readAll(store)), [3, 4], "kept: none behind one that stays");
      expectEqual(await store.events.purge(at(9), ALL), 2, "removed in the end");
      expectEqual([positionsOf(await readAll(store)), await store.events.head("north")], [[], 4], "head");
      await assignAll(store, 1);
      expectEqual(positionsOf(await readAll(store)), [5], "what comes later");
    },
  },
  {
    rule: "event/purge-ahead",
    name: "what was written while a clock was ahead holds up none behind it, and goes with the next that goes",
    run: async (open) => {
      const store = await open();
      const at = (day: number): string => `2026-03-0${day}T08:00:00.000Z`;
      const ahead = "2027-04-08T08:00:00.000Z";
      const dates = [at(1), ahead, ahead, ahead, at(2), at(4), ahead, at(3), ahead];
      for (const [index, date] of dates.entries())
        await seed(store.resources, [
          { type: "User", id: `u${index}`, body: { userName: `u${index}` }, at: date },
        ]);
      await assignAll(store, dates.length);
      const purge = (day: number, limit: number): Promise<number> =>
        store.events.purge(at(day), limit, at(9));
      expectEqual(await store.events.purge(at(1), ALL, at(9)), 0, "nothing is old enough");
      expectEqual(await purge(2, ALL), 1, "those ahead stay as long as what is behind them");
      expectEqual(await purge(3, 2), 2, "a page of none but those ahead");
      expectEqual(await store.events.purge(at(3), ALL), 0, "none is ahead where the present is not told");
      expectEqual(await purge(4, ALL), 2, "none behind one that stays");
      expectEqual(await purge(5, ALL), 3, "up to the last that goes");
      expectEqual(positionsOf(await readAll(store)), [9], "kept: the last, with nothing behind it");
      await seed(store.resources, [{ type: "User", id: "u9", body: { userName: "u9" }, at: at(6) }]);
      await assignAll(store, 1);
      expectEqual(await purge(7, 1), 1, "when something behind it goes");
      expectEqual(await purge(7, 1), 1, "and that");
    },
  },
];
