import { compareKeys } from "@scim/filter";
import {
  createMemoryStore,
  filterOf,
  indexPage,
  matchingIds,
  type NewResource,
  seed,
  sortOf,
} from "@scim/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefixEnd } from "../src/query/key-condition.ts";
import { open } from "./support/folders.ts";

const words = fc.constantFrom("", "a", "A", "ab", "b", "ÅB", "😀");

/** A badge with few different values, so that filters find some of many. */
const badge = fc.record(
  {
    label: words,
    code: words,
    note: words,
    level: fc.integer({ min: -1, max: 2 }),
    valid: fc.boolean(),
    tags: fc.array(words, { minLength: 1, maxLength: 3 }),
    doors: fc.array(fc.record({ value: words, type: words }, { requiredKeys: [] }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { requiredKeys: [] },
);

const texts = fc
  .tuple(
    fc.constantFrom("label", "code", "note", "tags", "doors.value", "doors.type", "id"),
    fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"),
    words,
  )
  .map(([path, operator, word]) => `${path} ${operator} "${word}"`);

const numbers = fc
  .tuple(fc.constantFrom("eq", "ne", "gt", "le"), fc.integer({ min: -1, max: 2 }))
  .map(([operator, level]) => `level ${operator} ${level}`);

const present = fc.constantFrom(
  "label pr",
  "tags pr",
  "doors pr",
  "valid pr",
  "valid eq true",
  "valid ne false",
);

const valuePaths = fc
  .tuple(words, fc.constantFrom("and", "or"), words)
  .map(([value, word, type]) => `doors[value eq "${value}" ${word} not (type eq "${type}")]`);

const { filter: filters } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(texts, numbers, present, valuePaths),
    fc
      .tuple(tie("filter"), fc.constantFrom("and", "or"), tie("filter"))
      .map(([left, word, right]) => `(${left} ${word} ${right})`),
    tie("filter").map((inner) => `not (${inner})`),
  ),
}));

describe("laws of queries", () => {
  test("R7644-3.4.2.2-02 any filter, in any order and on any page, finds what the reference store finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(badge, { minLength: 1, maxLength: 8 }),
        filters,
        fc.record({
          sortBy: fc.constantFrom(null, "label", "level", "note", "meta.created", "id"),
          descending: fc.boolean(),
          offset: fc.integer({ min: 0, max: 3 }),
          limit: fc.integer({ min: 0, max: 5 }),
        }),
        async (bodies, text, { sortBy, descending, offset, limit }) => {
          const badges = bodies.map((body, index): NewResource => ({ type: "Badge", id: `b${index}`, body }));
          const sqlite = await open(":memory:");
          const memory = createMemoryStore();
          await seed(sqlite.resources, badges);
          await seed(memory, badges);
          const sort = sortBy === null ? null : sortOf("Badge", sortBy, descending);
          const query = {
            type: "Badge",
            filter: filterOf("Badge", text),
            sort,
            page: indexPage(offset, limit),
          } as const;
          expect(await matchingIds(sqlite.resources, query)).toEqual(await matchingIds(memory, query));
          await sqlite.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a text begins with a prefix exactly where it lies between the prefix and its end", () => {
    const characters = fc.oneof(
      fc.constantFrom("a", "b", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    const text = fc.string({ unit: characters, maxLength: 4 });
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
