import {
  bindFilter,
  evaluateFilter,
  FilterSemanticError,
  FilterSyntaxError,
  parseFilter,
  parsePatchPath,
} from "@scim/filter";
import { printFilter } from "@scim/filter/ast";
import { describe, expect, test } from "vitest";
import { filterCases, filterCasesWith, pathCases, resourceOf } from "./cases.ts";
import { resolverOf } from "./resolver.ts";

describe("filters (RFC 7644 §3.4.2.2)", () => {
  test("the table is whole", () => {
    expect(filterCases).toHaveLength(314);
  });

  test.for(filterCasesWith(({ expect: outcome }) => outcome === "syntax"))(
    "$name is refused: $filter",
    ({ filter }) => {
      expect(() => parseFilter(filter)).toThrow(FilterSyntaxError);
    },
  );

  test.for(filterCasesWith(({ expect: outcome }) => outcome === "semantic"))(
    "$name is well-formed and refused: $filter",
    ({ filter, type, root }) => {
      const node = parseFilter(filter);
      expect(() => bindFilter(node, resolverOf(type ?? "", root))).toThrow(FilterSemanticError);
    },
  );

  test.for(filterCasesWith(({ expect: outcome }) => typeof outcome === "boolean"))(
    "$name gives $expect: $filter",
    ({ filter, type, root, resource, expect: outcome }) => {
      const node = bindFilter(parseFilter(filter), resolverOf(type ?? "", root));
      expect(evaluateFilter(node, resourceOf(resource))).toBe(outcome);
    },
  );

  test.for(filterCasesWith(({ expect: outcome }) => outcome !== "syntax"))(
    "$name is printed as a text of the same meaning",
    ({ filter }) => {
      const node = parseFilter(filter);
      expect(parseFilter(printFilter(node))).toEqual(node);
    },
  );
});

describe("PATCH paths (RFC 7644 §3.5.2)", () => {
  test("the table is whole", () => {
    expect(pathCases).toHaveLength(58);
  });

  test.for(pathCases)("$id: $path", ({ path, expect: outcome }) => {
    if (outcome === "syntax") {
      expect(() => parsePatchPath(path)).toThrow(FilterSyntaxError);
      return;
    }
    const parsed = parsePatchPath(path);
    expect(parsed.path).toMatchObject({ urn: outcome.urn, attribute: outcome.attribute });
    expect(parsed.subAttribute ?? parsed.path.subAttribute).toBe(outcome.subAttribute);
    expect(parsed.filter && printFilter(parsed.filter)).toBe(outcome.filter);
  });
});
