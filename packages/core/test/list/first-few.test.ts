import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FirstFew } from "../../src/query/one-type/first-few.ts";

const byNumber = (left: number, right: number): number => left - right;

function firstOf(
  numbers: readonly number[],
  size: number,
  ceiling = Number.POSITIVE_INFINITY,
): readonly number[] {
  const first = new FirstFew<number>({ size, compare: byNumber, ceiling });
  for (const number of numbers) first.add(number);
  return first.sorted();
}

describe("the first few of many", () => {
  test("are those of all, sorted", () => {
    const many = fc.uniqueArray(fc.integer(), { minLength: 300, maxLength: 1500, size: "max" });
    fc.assert(
      fc.property(many, fc.nat({ max: 400 }), (numbers, size) => {
        expect(firstOf(numbers, size)).toEqual(numbers.toSorted(byNumber).slice(0, size));
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ["rising", (index: number) => index],
    ["falling", (index: number) => -index],
  ])("of %s numbers need few sorts, however many there are", (_name, numberAt) => {
    let comparisons = 0;
    const compare = (left: number, right: number): number => {
      comparisons += 1;
      return left - right;
    };
    const first = new FirstFew<number>({ size: 1000, compare, ceiling: 1000 });
    for (let index = 0; index < 50_000; index += 1) first.add(numberAt(index));
    expect(first.sorted()).toHaveLength(1000);
    expect(comparisons).toBeLessThan(50_000 * 25);
  });

  test("R7644-3.4.2-05 more than the ceiling are refused, and not before", () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    expect(firstOf(numbers, 20, 20)).toEqual(numbers);
    expect(firstOf(numbers, 1000, 20)).toEqual(numbers);
    expect(() => firstOf(numbers, 20, 19)).toThrow(expect.objectContaining({ code: "tooMany" }));
  });
});
