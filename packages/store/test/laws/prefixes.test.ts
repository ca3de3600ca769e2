import { compareKeys } from "@scim/filter";
import { characters } from "@scim/fixtures/arbitraries";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixEnd } from "../../src/query/key-condition.ts";

describe("laws of keys", () => {
  test("a text begins with a prefix exactly where it lies between the prefix and its end", () => {
    const unit = fc.oneof(
      fc.constantFrom("a", "b", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"),
      characters,
    );
    const text = fc.string({ unit, maxLength: 4 });
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, other, joined) => {
        const value = joined ? prefix + other : other;
        const end = prefixEnd(prefix);
        const between = compareKeys(value, prefix) >= 0 && (end === null || compareKeys(value, end) < 0);
        expect(between).toBe(value.startsWith(prefix));
      }),
      { numRuns: 2000 },
    );
  });
});
