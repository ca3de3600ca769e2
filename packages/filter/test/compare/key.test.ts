import { compareKeys, comparisonKey } from "@scim/filter";
import type { ComparableType, ComparisonKey } from "@scim/filter";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { texts } from "../arbitraries.ts";

const fold = (text: string): ComparisonKey | undefined => comparisonKey("string", false, text);

describe("R8265-3.3-01, R7644-5-03 strings that are not case exact", () => {
  test.for([
    ["BJensen@Example.COM", "bjensen@example.com"],
    ["É", "é"],
    ["e\u0301", "é"],
    ["E\u0301", "é"],
    ["Ａｌｉｃｅ", "alice"],
    ["Ａ\u030a", "å"],
    ["ｶﾞ", "ガ"],
    ["\u3000", " "],
    ["￦", "₩"],
    ["ﾡ", "ㄱ"],
    ["\u212a", "k"],
    ["\u2126", "ω"],
    ["𐐀", "𐐨"],
    ["Ǆ", "ǆ"],
    ["I\u0307", "İ"],
    ["Ｉ\u0307", "İ"],
  ] as const)("%s equals %s", ([a, b]) => {
    expect(fold(a)).toBe(fold(b));
  });

  test.for([
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["I", "ı"],
    ["İ", "i"],
    ["İ", "I"],
    ["①", "1"],
    ["ﬁ", "fi"],
    [" a", "a"],
    ["é", "e"],
  ] as const)("%s does not equal %s", ([a, b]) => {
    expect(fold(a)).not.toBe(fold(b));
  });

  test("no locale and no context: the same character always becomes the same", () => {
    expect(fold("ΣΣ")).toBe("σσ");
    expect(fold("I")).toBe("i");
    expect(fold("İ")).toBe("İ");
  });

  test("no text costs more than its length: where more than 64 combining marks follow each other, they keep their order", () => {
    const [below, above] = ["\u0316", "\u0301"];
    const marks = (count: number): string => (above + below).repeat(count / 2);
    expect(fold(`x${marks(64)}`)).toBe(`x${below.repeat(32)}${above.repeat(32)}`);
    expect(fold(`X${marks(66)}`)).toBe(`x${marks(66)}`);
    expect(fold(`Ｘ${marks(65_534)}`)).toBe(`x${marks(65_534)}`);
    expect(fold(`${"\u0301".repeat(65)}É`)).toBe(`${"\u0301".repeat(65)}é`);
  });

  test("folding twice changes nothing, and composed and decomposed forms fold alike", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const key = fold(text);
        expect(fold(String(key))).toBe(key);
        expect(fold(text.normalize("NFD"))).toBe(key);
      }),
      { numRuns: 1000 },
    );
  });

  test("every code point of the first planes folds to what folds to itself", () => {
    const unstable: string[] = [];
    for (let code = 0; code < 0x2_0000; code += 1) {
      const key = String(fold(String.fromCodePoint(code)));
      if (fold(key) !== key) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });
});

test.for<[ComparableType, boolean, unknown, ComparisonKey | undefined]>([
  ["string", true, "Éa", "Éa"],
  ["string", true, "e\u0301", "e\u0301"],
  ["reference", true, "https://A", "https://A"],
  ["reference", false, "https://A", "https://a"],
  ["binary", false, "AQID", "AQID"],
  ["dateTime", false, "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.000000000"],
  ["dateTime", false, "yesterday", undefined],
  ["integer", false, 42, 42],
  ["decimal", false, 0.5, 0.5],
  ["decimal", false, Infinity, undefined],
  ["boolean", false, false, false],
  ["string", false, 1, undefined],
  ["integer", false, "1", undefined],
  ["boolean", false, "true", undefined],
  ["dateTime", false, 0, undefined],
  ["binary", false, null, undefined],
  ["complex", false, {}, undefined],
])("the key of a %s, case exact %s: %j", ([type, caseExact, value, key]) => {
  expect(comparisonKey(type, caseExact, value)).toBe(key);
});

test("-0 and 0 have one key", () => {
  expect(comparisonKey("integer", false, -0)).toBe(0);
});

const keys = fc.oneof(texts, fc.double({ noNaN: true }), fc.boolean());

describe("compareKeys", () => {
  test("R7644-F-02 orders texts by code point, not by UTF-16 code unit", () => {
    expect(compareKeys("\uffff", "😀")).toBeLessThan(0);
    expect(compareKeys("😀", "\ue000")).toBeGreaterThan(0);
    expect(compareKeys("a", "ab")).toBeLessThan(0);
    expect(compareKeys("a", "a")).toBe(0);
  });

  test("agrees with the order of UTF-8 bytes", () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
    );
  });

  test("orders numbers by value, false before true, and boolean, number, text", () => {
    expect([10, "a", 9, true, -1, false, ""].toSorted(compareKeys)).toEqual([
      false,
      true,
      -1,
      9,
      10,
      "",
      "a",
    ]);
  });

  test("is an order: antisymmetric and transitive", () => {
    fc.assert(
      fc.property(keys, keys, keys, (a, b, c) => {
        expect(Math.sign(compareKeys(a, b))).toBe(0 - Math.sign(compareKeys(b, a)));
        if (compareKeys(a, b) <= 0 && compareKeys(b, c) <= 0)
          expect(compareKeys(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
