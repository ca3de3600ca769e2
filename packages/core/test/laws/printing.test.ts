import { filters, patchPaths, register, shapeOf, worlds } from "@scim/fixtures/arbitraries";
import { parseFilter, parsePatchPath } from "@scim/filter";
import { printFilter, printPatchPath } from "@scim/filter/ast";
import { createDefaultRegistry } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const things = worlds({ hidden: true, defaults: false }).map((world) => {
  const registry = createDefaultRegistry();
  register(world, registry);
  return shapeOf(registry, "Thing");
});

describe("parsing and printing over generated schemas", () => {
  test("a filter that was printed is parsed to the same tree, and printed as the same text", () => {
    fc.assert(
      fc.property(
        things.chain((thing) => filters(thing)),
        (filter) => {
          const text = printFilter(filter);
          const parsed = parseFilter(text);
          expect(parsed).toEqual(filter);
          expect(printFilter(parsed)).toBe(text);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a PATCH path that was printed is parsed to the same tree, and printed as the same text", () => {
    fc.assert(
      fc.property(
        things.chain((thing) => patchPaths(thing)),
        (path) => {
          const text = printPatchPath(path);
          const parsed = parsePatchPath(text);
          expect(parsed).toEqual(path);
          expect(printPatchPath(parsed)).toBe(text);
        },
      ),
      { numRuns: 400 },
    );
  });
});
