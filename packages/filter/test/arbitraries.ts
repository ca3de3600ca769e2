/**
 * Random paths, values and filters that the grammar has.
 * @module
 */
import type { AttributePath, FilterNode, PatchPath } from "@scim/filter";
import fc from "fast-check";

/** Surrogates, which stand for no character. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Texts of any characters. The unit `binary` of fast-check is the same, and makes a table of all of Unicode first, which
 * takes longer than the tests.
 */
export const texts = fc.string({
  unit: fc
    .nat({ max: 0x10_ffff - SURROGATES.count })
    .map((nth) => String.fromCodePoint(nth < SURROGATES.first ? nth : nth + SURROGATES.count), nthOf),
});

/** Which character a text is: by it fast-check tells which texts it may mix in that have a meaning in JavaScript. */
function nthOf(text: unknown): number {
  if (typeof text !== "string" || !/^\P{Surrogate}$/u.test(text)) throw new TypeError("It is no character.");
  const code = text.codePointAt(0) ?? 0;
  return code < SURROGATES.first ? code : code - SURROGATES.count;
}

const keywords = ["pr", "eq", "not", "and", "or", "true", "null", "NOT", "$ref", "$REF"];

const name = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_$-]{0,8}$/) },
  { weight: 1, arbitrary: fc.constantFrom(...keywords) },
);

const urn = fc.constantFrom(
  "urn:ietf:params:scim:schemas:core:2.0:User",
  "urn:example:schemas:2.0.1-beta:Thing",
  "URN:x:y",
  "https://example.com/schemas/v1.0?a=b&c=d",
);

const simplePath: fc.Arbitrary<AttributePath> = fc.record({
  kind: fc.constant("attributePath" as const),
  urn: fc.option(urn),
  attribute: name,
  subAttribute: fc.constant(null),
});

export const attributePaths: fc.Arbitrary<AttributePath> = fc
  .tuple(simplePath, fc.option(name))
  .map(([path, subAttribute]) => ({ ...path, subAttribute }));

// -0 is left out: JSON cannot tell it from 0.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));

const literal = fc.oneof(
  texts,
  fc.string({ unit: fc.constantFrom('"', "\\", "\u0000", "\n", "\ud800", "😀", "]", ")", " ", "'") }),
  number,
  fc.boolean(),
  fc.constant(null),
);

const operator = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");

const test: fc.Arbitrary<FilterNode> = fc.oneof(
  fc.record({
    kind: fc.constant("comparison" as const),
    path: attributePaths,
    operator,
    value: literal,
  }),
  fc.record({ kind: fc.constant("presence" as const), path: attributePaths }),
);

function combined(leaf: fc.Arbitrary<FilterNode>): fc.Arbitrary<FilterNode> {
  const { tree } = fc.letrec<{ tree: FilterNode }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.record({ kind: fc.constant("not" as const), operand: tie("tree") }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        operands: fc.array(tie("tree"), { minLength: 2, maxLength: 4 }),
      }),
    ),
  }));
  return tree;
}

const valueFilters = combined(test);

/** Filters of every shape; value paths are not within one another. */
export const filters: fc.Arbitrary<FilterNode> = combined(
  fc.oneof(
    { weight: 3, arbitrary: test },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("valuePath" as const),
        path: simplePath,
        filter: valueFilters,
      }),
    },
  ),
);

export const patchPaths: fc.Arbitrary<PatchPath> = fc.oneof(
  attributePaths.map((path): PatchPath => ({ kind: "patchPath", path, filter: null, subAttribute: null })),
  fc.record({
    kind: fc.constant("patchPath" as const),
    path: simplePath,
    filter: valueFilters,
    subAttribute: fc.option(name),
  }),
);

/** Filters with operands from a list, for laws of evaluation. */
export function filtersOver(leaves: readonly FilterNode[]): fc.Arbitrary<FilterNode> {
  return combined(fc.constantFrom(...leaves));
}
