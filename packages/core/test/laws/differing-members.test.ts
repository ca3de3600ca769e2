import type { JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { differingMembers } from "../../src/index.ts";

const NAMES = ["title", "name", "emails", "urn:a:2.0:B", 'with"quote', "__proto__", "1"];
const MARKS = fc.constantFrom('"', "\\", '\\"', '","title":"x', "{[", "]}", ":", "\u2028", "\ud83d\ude00");

/** A state, as JSON makes objects: also of a member `__proto__`. */
const states = fc
  .array(
    fc.tuple(
      fc.constantFrom(...NAMES),
      fc.oneof(MARKS, fc.constantFrom(1, 12, -1, 1.5), fc.jsonValue({ maxDepth: 3 })),
    ),
    {
      maxLength: 7,
    },
  )
  .map((members) => members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`))
  .map((members) => JSON.parse(`{${members.join(",")}}`) as JsonObject);

function membersLeft(state: JsonObject, other: JsonObject): JsonObject {
  const text = (object: JsonObject, name: string): string | null =>
    Object.hasOwn(object, name) ? JSON.stringify(object[name]) : null;
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => text(state, name) !== text(other, name)),
  );
}

describe("members that differ", () => {
  test("are those whose texts do, each in its place", () => {
    fc.assert(
      fc.property(states, states, fc.subarray(NAMES), (before, change, removed) => {
        const members = Object.entries({ ...before, ...change });
        const after = Object.fromEntries(members.filter(([name]) => !removed.includes(name)));
        const read = differingMembers(JSON.stringify(before), JSON.stringify(after));
        expect(JSON.stringify(read)).toBe(
          JSON.stringify({ before: membersLeft(before, after), after: membersLeft(after, before) }),
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["white space", '{ "title":"a"}'],
    ["no object", '["title"]'],
    ["cut off", '{"title":"a"'],
  ])("cannot be told of a text of another form: %s", (_form, text) => {
    expect(differingMembers(text, '{"title":"b"}')).toBeNull();
    expect(differingMembers('{"title":"b"}', text)).toBeNull();
  });
});
