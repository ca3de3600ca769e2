/**
 * Random resources in normal form: what a service answers of them is what they are.
 * @module
 */
import { webAddresses } from "@scim/fixtures/arbitraries";
import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { TEST_URN } from "./test-extension.ts";

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
  fc.constantFrom("__proto__", "constructor", "Straße", "\u0000", "😀", " a "),
);
function letter(letters: string): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: letters.length - 1 }).map((index) => letters.charAt(index));
}

/** Letters that no two spellings share, so that values differ wherever they look different. */
const word = fc.string({ minLength: 1, maxLength: 5, unit: letter("abcdefgh") });
const id = fc.string({ minLength: 1, maxLength: 4, unit: letter("ABCabc123-._~") });
const integer = fc.maxSafeInteger();
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const dateTime = fc.constantFrom(
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00.5+01:00",
  "1999-12-31T23:59:59",
);
const binary = fc
  .uint8Array({ minLength: 1, maxLength: 6 })
  .map((bytes) => Buffer.from(bytes).toString("base64"));

/** An object of some of the members; members are left out, never null. */
function some(members: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<JsonObject> {
  return fc
    .record(members, { requiredKeys: [] })
    .map((object) => Object.fromEntries(Object.entries(object).flatMap(present)));
}

/** The entry of a member that is there. */
function present([name, value]: readonly [string, JsonValue | undefined]): readonly [string, JsonValue][] {
  return value === undefined ? [] : [[name, value]];
}

/** Some of the members, at least one of them. */
function someOf(members: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<JsonObject> {
  return some(members).filter((object) => Object.keys(object).length > 0);
}

/** Values that differ in `value`, the first of them primary or none. */
function values(
  value: fc.Arbitrary<string>,
  rest: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
): fc.Arbitrary<JsonValue> {
  const one = fc.tuple(value, some(rest)).map(([text_, others]) => ({ value: text_, ...others }));
  return fc
    .tuple(fc.uniqueArray(one, { minLength: 1, maxLength: 4, selector: (each) => each.value }), fc.boolean())
    .map(([list, primary]) =>
      list.map((each, at) => (primary && at === 0 ? { ...each, primary: true } : each)),
    );
}

const type = fc.constantFrom("work", "home", "other");

/** Values of a User, with both extensions. */
export const userValues: fc.Arbitrary<JsonObject> = fc
  .tuple(
    some({
      externalId: text,
      displayName: text,
      active: fc.boolean(),
      profileUrl: webAddresses,
      name: someOf({ givenName: text, familyName: text, formatted: text }),
      emails: values(word, { type, display: text }),
      roles: values(word, { display: text }),
      x509Certificates: values(binary, { display: text }),
      [ENTERPRISE_USER_URN]: someOf({
        department: text,
        manager: id.map((value) => ({ value })),
      }),
      [TEST_URN]: someOf({
        age: integer,
        score: decimal,
        flag: fc.boolean(),
        joined: dateTime,
        code: text,
        badge: text,
        tags: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
        nums: fc.uniqueArray(integer, { minLength: 1, maxLength: 3 }),
        profile: some({ level: integer, label: text, note: text }).map((rest) => ({ grade: "a", ...rest })),
        items: values(word, { qty: integer, active: fc.boolean(), since: dateTime, lock: text }),
      }),
    }),
    word,
  )
  .map(([rest, userName]) => ({ userName, ...rest }));

/** Members of a Group: ids that differ, with or without type and display. */
export const members: fc.Arbitrary<readonly JsonObject[]> = fc.uniqueArray(
  fc
    .tuple(id, some({ type: fc.constantFrom("User", "Group"), display: text }))
    .map(([value, rest]) => ({ value, ...rest })),
  { maxLength: 6, selector: (member) => member.value },
);
