import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addRemoved, type RemovedValues, takeRemoved } from "../../src/index.ts";

function kept(...values: readonly string[]): RemovedValues {
  return { values, count: values.length };
}

const ALL_OF_FIVE: RemovedValues = { values: [], count: 5 };

const value = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
const change = fc.oneof(
  fc.uniqueArray(value, { minLength: 1 }).map((values) => kept(...values)),
  fc.integer({ min: 1, max: 9 }).map((count): RemovedValues => ({ values: [], count })),
);

describe("what is held of removals", () => {
  test.each<readonly [string, RemovedValues, RemovedValues, RemovedValues]>([
    ["another value adds one", kept("a"), kept("b"), kept("a", "b")],
    ["what is sent again adds nothing", kept("a", "b"), kept("b"), kept("a", "b")],
    [
      "beside all of some, values are no longer told apart",
      kept("a"),
      ALL_OF_FIVE,
      { values: ["a"], count: 5 },
    ],
    [
      "nor are they where all are as many",
      kept("a", "b"),
      { values: [], count: 2 },
      { values: ["a"], count: 2 },
    ],
  ])("%s", (_name, held, more, sum) => {
    expect(addRemoved(held, more)).toEqual(sum);
  });

  test("is taken by each change that was held, so that nothing is held for ever", () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const held = changes.reduce(addRemoved);
        for (const each of changes) expect(takeRemoved(held, each)).not.toBeNull();
      }),
    );
  });
});

describe("a release of removals", () => {
  test.each<readonly [string, RemovedValues, RemovedValues, RemovedValues | null]>([
    ["is used up value by value", kept("a", "b", "c"), kept("b"), kept("a", "c")],
    ["ends with the last value", kept("a"), kept("a"), kept()],
    ["is not for other values", kept("a", "b"), kept("a", "c"), null],
    ["of values is not for all of as many", kept("a", "b"), { values: [], count: 2 }, null],
    ["of all is for any of as many", ALL_OF_FIVE, kept("a", "b"), { values: [], count: 3 }],
    ["of all is not for more", ALL_OF_FIVE, { values: [], count: 6 }, null],
    ["of what takes nothing out ends at once", kept(), kept(), kept()],
  ])("%s", (_name, released, by, left) => {
    expect(takeRemoved(released, by)).toEqual(left);
  });
});
