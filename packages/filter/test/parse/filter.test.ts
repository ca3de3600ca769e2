import { parseAttributePath, parseFilter, parsePatchPath } from "@scim/filter";
import type { FilterNode, Literal } from "@scim/filter";
import { and, eq, not, or, present, printFilter, valuePath } from "@scim/filter/ast";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { texts } from "../arbitraries.ts";

const a = present("a");
const b = present("b");
const c = present("c");
const d = present("d");

test.for<[string, FilterNode]>([
  ["a pr or b pr and c pr", or(a, and(b, c))],
  ["a pr and b pr or c pr", or(and(a, b), c)],
  ["not (a pr) and b pr", and(not(a), b)],
  ["not (a pr or b pr) or c pr", or(not(or(a, b)), c)],
  ["(a pr or b pr) and c pr", and(or(a, b), c)],
  ["a[b pr or c pr and d pr]", valuePath("a", or(b, and(c, d)))],
  ["a[not (b pr) and c pr]", valuePath("a", and(not(b), c))],
])("R7644-3.4.2.2-05 grouping, then not, then and, then or: %s", ([text, node]) => {
  expect(parseFilter(text)).toEqual(node);
});

test.for<[string, FilterNode]>([
  ["a pr and b pr and c pr and d pr", and(a, b, c, d)],
  ["a pr or b pr or c pr or d pr", or(a, b, c, d)],
  ["a[b pr and c pr and d pr]", valuePath("a", and(b, c, d))],
  ["(a pr)", a],
  ["((a pr))", a],
])("a chain is one node, and a group of one is none: %s", ([text, node]) => {
  expect(parseFilter(text)).toEqual(node);
});

describe("R7644-3.4.2.2-03 operators and words ignore letter case", () => {
  test.for([
    ["a EQ 1 AND b Pr", "a eq 1 and b pr"],
    ["NOT (a PR) OR b gE 2", "not (a pr) or b ge 2"],
    ['A[NoT (B cO "x")]', 'A[not (B co "x")]'],
  ] as const)("%s", ([text, same]) => {
    expect(parseFilter(text)).toEqual(parseFilter(same));
  });
});

describe("a name may be a word of the grammar", () => {
  test.for(["pr", "eq", "not", "and", "or", "true", "null", "le"])("%s", (name) => {
    expect(parseFilter(`${name} pr and ${name} eq 1 or not (${name} pr)`)).toEqual(
      or(and(present(name), eq(name, 1)), not(present(name))),
    );
    expect(parseFilter(`${name}[${name} pr]`)).toEqual(valuePath(name, present(name)));
    expect(parsePatchPath(name).path.attribute).toBe(name);
  });
});

describe("R7644-3.10-02 the last colon ends the URN", () => {
  test.for([
    ["userName", null, "userName", null],
    ["name.givenName", null, "name", "givenName"],
    ["$ref", null, "$ref", null],
    ["members.$REF", null, "members", "$REF"],
    ["urn:a:b:2.0:User:manager.displayName", "urn:a:b:2.0:User", "manager", "displayName"],
    ["urn:a:b:2.0:User", "urn:a:b:2.0", "User", null],
    ["urn:a:b:2.0", "urn:a:b", "2.0", null],
    ["https://example.com/v1.0:code.x", "https://example.com/v1.0", "code", "x"],
    ["urn:x:y'z:a", "urn:x:y'z", "a", null],
  ] as const)("%s", ([text, urn, attribute, subAttribute]) => {
    expect(parseAttributePath(text)).toEqual({ kind: "attributePath", urn, attribute, subAttribute });
  });
});

describe("R7644-3.4.2.2-07 a value is a JSON literal", () => {
  test.for<[string, Literal]>([
    [String.raw`"\"\\\/\b\f\n\r\t"`, '"\\/\b\f\n\r\t'],
    [String.raw`"\u0041\uD83D\uDE00\ud83d"`, "A😀\ud83d"],
    ['"\u007f\u2028 é😀"', "\u007f\u2028 é😀"],
    ['""', ""],
    ["0", 0],
    ["-0", 0],
    ["-1.50e+2", -150],
    ["1E-2", 0.01],
    ["12345678901234567890", 12_345_678_901_234_567_000],
    ["true", true],
    ["false", false],
    ["null", null],
  ])("%s", ([text, value]) => {
    expect(parseFilter(`a eq ${text}`)).toEqual(eq("a", value));
  });

  test("every JSON string is read as JSON reads it", () => {
    fc.assert(
      fc.property(texts, (value) => {
        expect(parseFilter(`a eq ${JSON.stringify(value)}`)).toEqual(eq("a", value));
      }),
    );
  });
});

test.for([" a pr ", "\ta\npr\r", "( a pr )", "(\na pr\n)"])(
  "R7644-3.4.2.2-08 white space of any length and kind may stand at the ends and within parentheses: %j",
  (text) => {
    expect(parseFilter(text)).toEqual(a);
  },
);

test("R7644-3.4.2.2-06 not may stand close to its group, or apart", () => {
  expect(parseFilter("not(a pr)")).toEqual(parseFilter("not \n (a pr)"));
});

test("the sub-attribute of a PATCH path is where the path has it", () => {
  expect(parsePatchPath("name.familyName")).toMatchObject({
    path: { attribute: "name", subAttribute: "familyName" },
    filter: null,
    subAttribute: null,
  });
  expect(parsePatchPath('emails[type eq "work"].value')).toMatchObject({
    path: { attribute: "emails", subAttribute: null },
    filter: eq("type", "work"),
    subAttribute: "value",
  });
});

test("a parse that fails leaves the next one alone", () => {
  expect(() => parseFilter("((a pr")).toThrow("Expected");
  expect(printFilter(parseFilter("a pr"))).toBe("a pr");
});
