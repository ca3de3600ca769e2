import { parseAttributePath, parseFilter, parsePatchPath } from "@scim/filter";
import type { FilterNode } from "@scim/filter";
import { and, eq, not, or, present, printAttributePath, printFilter, printPatchPath } from "@scim/filter/ast";
import fc from "fast-check";
import { expect, test } from "vitest";
import { attributePaths, filters, patchPaths } from "../arbitraries.ts";

test("parsing what was printed gives the tree back", () => {
  fc.assert(
    fc.property(filters, (node) => {
      expect(parseFilter(printFilter(node), { maxLength: Infinity })).toEqual(node);
    }),
    { numRuns: 500 },
  );
});

test("parsing a printed PATCH path gives the tree back", () => {
  fc.assert(
    fc.property(patchPaths, (node) => {
      expect(parsePatchPath(printPatchPath(node), { maxLength: Infinity })).toEqual(node);
    }),
  );
});

test("parsing a printed attribute path gives the tree back", () => {
  fc.assert(
    fc.property(attributePaths, (node) => {
      expect(parseAttributePath(printAttributePath(node))).toEqual(node);
    }),
  );
});

const a = present("a");
const b = eq("b", 1);
const c = eq("c", "x");

test.for<[string, FilterNode]>([
  ['a pr and b eq 1 and c eq "x"', and(a, b, c)],
  ['a pr or b eq 1 and c eq "x"', or(a, and(b, c))],
  ['(a pr or b eq 1) and c eq "x"', and(or(a, b), c)],
  ['a pr and (b eq 1 and c eq "x")', and(a, and(b, c))],
  ["not (a pr or b eq 1)", not(or(a, b))],
  ["not (not (a pr))", not(not(a))],
])("R7644-3.4.2.2-05 parentheses stand only where the tree needs them: %s", ([text, node]) => {
  expect(printFilter(node)).toBe(text);
});
