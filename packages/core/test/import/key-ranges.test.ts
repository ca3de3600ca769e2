import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KEY_RANGES, KeyRanges } from "../../src/operations/import/key-ranges.ts";

/** Keys in no order. */
const mixed = (count: number): readonly string[] =>
  Array.from(
    { length: count },
    (_, index) => `user-${String((index * 7_368_787) % 10_000_019).padStart(8, "0")}`,
  );

/** How many of the keys fall into each range. */
function sharesOf(ranges: KeyRanges, keys: readonly string[]): readonly number[] {
  const shares = Array.from({ length: KEY_RANGES }, () => 0);
  for (const key of keys) {
    const range = ranges.rangeOf(key);
    shares[range] = (shares[range] ?? 0) + 1;
  }
  return shares;
}

test("before there is anything to tell by, all keys are of one range", () => {
  expect(sharesOf(new KeyRanges(), mixed(2000))).toEqual([2000, 0, 0, 0]);
});

test("ranges hold about as many of the keys that come each", () => {
  const ranges = new KeyRanges();
  sharesOf(ranges, mixed(2000));
  ranges.settle();
  for (const share of sharesOf(ranges, mixed(20_000))) expect(share / 20_000).toBeCloseTo(1 / KEY_RANGES, 1);
});

test("ranges follow the keys that came lately", () => {
  const ranges = new KeyRanges();
  sharesOf(ranges, mixed(20_000));
  ranges.settle();
  const later = mixed(20_000).map((key) => `z${key}`);
  expect(sharesOf(ranges, later)).toEqual([0, 0, 0, 20_000]);
  ranges.settle();
  for (const share of sharesOf(ranges, later)) expect(share / 20_000).toBeCloseTo(1 / KEY_RANGES, 1);
});

test("the keys of a source in order are of the last range", () => {
  const ranges = new KeyRanges();
  const keys = mixed(20_000).toSorted();
  sharesOf(ranges, keys.slice(0, 2000));
  ranges.settle();
  expect(sharesOf(ranges, keys.slice(2000))).toEqual([0, 0, 0, 18_000]);
});

test("a key is of no range before that of a lesser one", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (keys) => {
      const ranges = new KeyRanges();
      for (const key of keys) ranges.rangeOf(key);
      ranges.settle();
      const places = keys.toSorted().map((key) => ranges.rangeOf(key));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      for (const place of places) expect(place).toBeLessThan(KEY_RANGES);
    }),
  );
});
