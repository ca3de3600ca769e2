import {
  FilterSyntaxError,
  parseAttributePath,
  parsedOrNull,
  parseFilter,
  parsePatchPath,
} from "@scim/filter";
import { describe, expect, test } from "vitest";

function errorOf(action: () => unknown): FilterSyntaxError {
  try {
    action();
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
  throw new RangeError("nothing was thrown");
}

describe("the position is that of the first fault", () => {
  // The caret stands below the offset in each text.
  test.for([
    ["", 0, "attribute path"],
    ["   ", 3, "attribute path"],
    ["userName", 8, "operator (eq, ne, co, sw, ew, gt, ge, lt, le)"],
    ["userName eq", 11, "value (a JSON string, number, true, false or null)"],
    ["userName regex 1", 9, "eq"],
    ['userName eq"x"', 11, "white space"],
    ["userName eq bjensen", 12, "string"],
    ['userName eq "x', 14, "closing quote"],
    ['userName eq "x"y', 15, "white space"],
    [String.raw`a eq "x\q"`, 7, "escape sequence"],
    ['a eq "x\ny"', 7, "escape sequence"],
    ["a eq 1e999", 5, "number up to 1.8e308"],
    ["a eq 01", 6, "white space"],
    ["a eq TRUE", 5, "true"],
    ["a pr and", 8, "attribute path"],
    ["a pr andb pr", 5, '"and"'],
    ["(a pr)and (b pr)", 6, '"and"'],
    ["(a pr) and(b pr)", 10, "white space"],
    ["a pr b pr", 5, '"or"'],
    ["(a pr", 5, '")"'],
    ["a pr)", 4, "the end"],
    ["()", 1, "attribute path"],
    ["not a pr", 4, "eq"],
    ["a[b pr", 6, '"]"'],
    ["a[b pr)", 6, '"]"'],
    ["a[]", 2, "attribute path"],
    ["a [b pr]", 2, "eq"],
    ["a.b[c pr]", 3, "eq"],
    ["a[b[c pr]]", 2, "attribute path"],
    ["a[b pr].c eq 1", 7, '"and"'],
    ["a[b pr] pr", 8, '"and"'],
    ["a.b.c pr", 3, "the end"],
    ["a..b pr", 2, "name"],
    ["1a pr", 0, "name"],
    ["na/me pr", 2, "name"],
    ["né pr", 1, "white space"],
    ["userName:eq pr", 0, "schema URI"],
    ['(a pr) foo ("', 7, '"and"'],
    ['a) eq "x', 1, "operator (eq, ne, co, sw, ew, gt, ge, lt, le)"],
  ] as const)("%j at %i", ([text, offset, expected]) => {
    const error = errorOf(() => parseFilter(text));
    expect(error).toMatchObject({ name: "FilterSyntaxError", code: "syntax", offset });
    expect(error.expected).toContain(expected);
  });

  test.for([
    ["", 0],
    [" a", 0],
    ["a ", 1],
    ["a[b pr] ", 7],
    ["a[b pr]x", 7],
    ["a[b pr][c pr]", 7],
    ["a[b pr].c.d", 9],
    ["a[b pr].", 8],
    ["a eq 1", 1],
    ["(a)", 0],
  ] as const)("in a PATCH path: %j at %i", ([path, offset]) => {
    expect(errorOf(() => parsePatchPath(path)).offset).toBe(offset);
  });

  test.for([
    ["a[b pr]", 0],
    ["a,b", 1],
    ["a pr", 1],
  ] as const)("in an attribute path: %j at %i", ([path, offset]) => {
    expect(errorOf(() => parseAttributePath(path)).offset).toBe(offset);
  });
});

test.for([
  ['userName like "x"', 'userName like "x"\n         ^'],
  ["", "\n^"],
  [`${"a".repeat(100)} eq !`, `…${"a".repeat(36)} eq !\n${" ".repeat(41)}^`],
  [`a eq ! ${"b".repeat(100)}`, `a eq ! ${"b".repeat(38)}…\n     ^`],
  ["a\neq\t!", "a eq !\n     ^"],
] as const)("caret() shows the text and the place: %j", ([text, shown]) => {
  expect(errorOf(() => parseFilter(text)).caret()).toBe(shown);
});

test("the message names place and remedy, and no part of the text, which may be personal", () => {
  const error = errorOf(() => parseFilter('userName eq "bjensen@example.com" like'));
  expect(error.message).toContain("at character 35 of 38");
  expect(error.message).toContain('"and"');
  const logged = JSON.stringify([error, error.message, error.stack]);
  expect(logged).not.toContain("bjensen");
});

test.each([
  ["", "(the text is empty)."],
  ["userName eq", "(at the end, behind character 11)."],
  ["userName regex 1", "(at character 10 of 16)."],
])("the message says where %j breaks off", (text, place) => {
  expect(errorOf(() => parseFilter(text)).message.endsWith(place)).toBe(true);
});

test("a text that may be none is read or null, and no other error is taken for one", () => {
  expect(parsedOrNull(() => parseAttributePath("name"))).toEqual(parseAttributePath("name"));
  for (const text of ["name..x", "", "a".repeat(8193)])
    expect(parsedOrNull(() => parseAttributePath(text))).toBe(null);
  const failure = new TypeError("of another kind");
  expect(() =>
    parsedOrNull(() => {
      throw failure;
    }),
  ).toThrow(failure);
});
