/**
 * What every store of guards must do, as data without a test runner.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import { APART_GUARD_RULES } from "./guard-neighbours.ts";
import { GUARDED_RULES } from "./guarded-contract.ts";
import { HELD_RULES } from "./held-contract.ts";
import { counted, type GuardRule, minute, PLACE, UNTOUCHED } from "./sample-guards.ts";

/**
 * The contract of a store's guards.
 *
 * @example
 * for (const { rule, name, run } of GUARD_CONTRACT) {
 *   test(`${rule}: ${name}`, () => run(() => openStore({ audit: SAMPLE_AUDIT })));
 * }
 */
export const GUARD_CONTRACT: readonly GuardRule[] = [
  {
    rule: "guard/window",
    name: "what is counted adds up until its window is over, and then anew",
    run: async (open) => {
      const store = await open();
      const state = async (): Promise<unknown> => {
        const { started, count } = await store.guard.state(PLACE, "u1");
        return [started, count];
      };
      expectEqual(await store.guard.state(PLACE, "u1"), UNTOUCHED, "before");
      await counted(store, { by: 2 });
      await counted(store, { by: 3, minutes: 59 });
      expectEqual(await state(), [minute(0), 5], "in one window");
      await counted(store, { by: 4, minutes: 60 });
      expectEqual(await state(), [minute(60), 4], "in the next");
      await counted(store, { minutes: 119 });
      expectEqual(await state(), [minute(60), 5], "up to its end");
      await counted(store, { minutes: 30 });
      expectEqual(await state(), [minute(60), 6], "the clock went back");
    },
  },
  {
    rule: "guard/bound",
    name: "what would be beyond the bound of a window fails with all that its transaction writes",
    run: async (open) => {
      const store = await open();
      const count = async (): Promise<number> => (await store.guard.state(PLACE, "u1")).count;
      expectEqual(await counted(store, { by: 6, most: 5 }), false, "at once");
      expectEqual(await store.guard.state(PLACE, "u1"), UNTOUCHED, "nothing");
      expectEqual(await counted(store, { by: 3, most: 5 }), true, "within");
      expectEqual([await counted(store, { by: 3, most: 5 }), await count()], [false, 3], "beyond");
      expectEqual([await counted(store, { by: 2, most: 5 }), await count()], [true, 5], "just as many");
      expectEqual([await counted(store, { by: 900 }), await count()], [true, 905], "of any number");
      expectEqual(await counted(store, { most: 905 }), false, "of what was counted without a bound, too");
      expectEqual(await counted(store, { by: 6, most: 5, minutes: 60 }), false, "in the next window");
      expectEqual([await counted(store, { by: 5, most: 5, minutes: 60 }), await count()], [true, 5], "anew");
    },
  },
  {
    rule: "guard/bound",
    name: "of changes that are made at once so many pass as may",
    run: async (open) => {
      const store = await open();
      const passed = await Promise.all(Array.from({ length: 12 }, () => counted(store, { most: 7 })));
      expectEqual(passed.filter(Boolean).length, 7, "passed");
      expectEqual((await store.guard.state(PLACE, "u1")).count, 7, "counted");
    },
  },
  {
    rule: "guard/told",
    name: "that a window has too many is told once, by one",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      const isTold = async (): Promise<boolean> => (await guard.state(PLACE, "u1")).isTold;
      expectEqual(await guard.tell(PLACE, minute(0)), false, "no window");
      await counted(store, {});
      expectEqual(await guard.tell(PLACE, minute(1)), false, "of another window");
      expectEqual(await isTold(), false, "not yet");
      const told = await Promise.all([1, 2, 3].map(() => guard.tell(PLACE, minute(0))));
      expectEqual([told.filter(Boolean).length, await isTold()], [1, true], "told");
      await counted(store, { minutes: 1 });
      expectEqual(await isTold(), true, "for as long as the window is");
      await counted(store, { minutes: 60 });
      expectEqual([await isTold(), await guard.tell(PLACE, minute(60))], [false, true], "of the next");
      await counted(store, { minutes: 120, isTold: true });
      expectEqual(
        [await isTold(), await guard.tell(PLACE, minute(120))],
        [true, false],
        "by the change itself",
      );
      await counted(store, { minutes: 180 });
      await counted(store, { minutes: 181, isTold: true });
      expectEqual([await isTold(), await guard.tell(PLACE, minute(180))], [true, false], "by a later change");
    },
  },
  ...HELD_RULES,
  ...GUARDED_RULES,
  ...APART_GUARD_RULES,
];
