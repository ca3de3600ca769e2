import { parseAttributePath, parseFilter, parsePatchPath } from "@scim/filter";
import type { FilterNode } from "@scim/filter";
import {
  and,
  attributePath,
  co,
  eq,
  ew,
  FilterBuildError,
  ge,
  gt,
  le,
  lt,
  ne,
  not,
  or,
  patchPath,
  present,
  printAttributePath,
  sw,
  valuePath,
} from "@scim/filter/ast";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attributePaths } from "../arbitraries.ts";

test.for<[string, FilterNode]>([
  ['a eq "x"', eq("a", "x")],
  ["a ne null", ne("a", null)],
  ['a co "x"', co("a", "x")],
  ['a sw "x"', sw("a", "x")],
  ['a ew "x"', ew("a", "x")],
  ["a gt 1", gt("a", 1)],
  ["a ge 1", ge("a", 1)],
  ["a lt 1", lt("a", 1)],
  ["a le 1", le("a", 1)],
  ["a.b pr", present("a.b")],
  ["not (a pr)", not(present("a"))],
  ["a pr and b pr or c pr", or(and(present("a"), present("b")), present("c"))],
  ['emails[type eq "work"]', valuePath("emails", eq("type", "work"))],
  ["a pr", and(present("a"))],
])("builders make the tree of %s", ([text, node]) => {
  expect(node).toEqual(parseFilter(text));
});

test.for(["and", "or"] as const)("%s without operands is refused", (name) => {
  expect(() => (name === "and" ? and() : or())).toThrow(FilterBuildError);
});

test.for([Number.NaN, Infinity, -Infinity])(
  "%d is refused: text has no such number, and null would ask for what has no value",
  (value) => {
    expect(() => eq("a", value)).toThrow(FilterBuildError);
    expect(() => gt("a.b", value)).toThrow(FilterBuildError);
  },
);

test.for<unknown>([undefined, {}, new Date(0), 5n, Symbol("a"), () => "a"])(
  "%s is refused: it is nothing that a filter holds",
  (value) => {
    // What programs without types may give.
    expect(() => eq("a", value as string)).toThrow(FilterBuildError);
    expect(() => sw("a.b", value as string)).toThrow(FilterBuildError);
  },
);

describe("attributePath", () => {
  test("reads what the parser reads", () => {
    fc.assert(
      fc.property(attributePaths, (path) => {
        const text = printAttributePath(path);
        expect(attributePath(text)).toEqual(parseAttributePath(text));
      }),
    );
  });

  test("reads an extension's URN that ends in its version", () => {
    const path = "urn:example:extension:2.0";
    expect(attributePath(path)).toEqual(parseAttributePath(path));
  });

  test.for([
    "urn:é:a",
    "urn::a",
    "urn:<x>:a",
    "",
    " ",
    "1a",
    "a.b.c",
    "a b",
    "a[",
    'a eq "x"',
    ":a",
    "userName:eq",
    "a.",
    "é",
    "$a",
  ])("refuses %j as the parser does", (text) => {
    expect(() => attributePath(text)).toThrow(FilterBuildError);
    expect(() => parseAttributePath(text)).toThrow("at");
  });

  test("hands a path on as it is", () => {
    const path = attributePath("urn:x:y:a.b");
    expect(attributePath(path)).toBe(path);
  });
});

test.for([
  ["members", patchPath("members")],
  ["name.familyName", patchPath("name", { subAttribute: "familyName" })],
  [
    'emails[type eq "work"].value',
    patchPath("emails", { filter: eq("type", "work"), subAttribute: "value" }),
  ],
  ['emails[type eq "work"]', patchPath("emails", { filter: eq("type", "work") })],
] as const)("patchPath makes the tree of %s", ([text, node]) => {
  expect(node).toEqual(parsePatchPath(text));
});
