import { expect, test } from "vitest";
import { askStore } from "../../src/metrics/store-answers.ts";

/** How a store answers: at once, not at all, or with an error. */
const STORES = {
  answers: async () => null,
  "is silent": () => new Promise<never>(() => undefined),
  fails: () => Promise.reject(new Error("away")),
};

test.each<[how: keyof typeof STORES, told: readonly unknown[]]>([
  ["answers", [true, 7]],
  ["is silent", [false, null]],
  ["fails", [false, null]],
])("metrics of a store that %s are told, and nobody waits for what it does not tell", async (how, told) => {
  const asked = { times: 0 };
  const answers = askStore({
    tenants: {
      find: STORES[how],
      list: never,
      add: never,
      replace: never,
      removeRows: never,
      removeHashes: never,
    },
  });
  const figure = answers.figure(async () => {
    asked.times += 1;
    return 7;
  });
  const [isUp, first, second] = await Promise.all([answers.isUp(), figure(), figure()]);
  expect([isUp, first]).toEqual(told);
  expect(second).toBe(first);
  expect(asked.times).toBe(how === "answers" ? 1 : 0);
});

test("a store that answers again is told of with the next reading", async () => {
  const store = { isAway: true };
  const find = async () => {
    if (store.isAway) throw new Error("away");
    return null;
  };
  const { isUp } = askStore({
    tenants: { find, list: never, add: never, replace: never, removeRows: never, removeHashes: never },
  });
  expect(await isUp()).toBe(false);
  store.isAway = false;
  expect(await isUp()).toBe(true);
});

function never(): Promise<never> {
  return Promise.reject(new TypeError("Metrics do not ask for this"));
}
