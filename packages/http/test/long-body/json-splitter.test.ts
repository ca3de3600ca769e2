import { isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJson } from "../../src/json/decode.ts";
import { JsonSplitter } from "../../src/long-body/json-splitter.ts";

const MAX_DEPTH = 6;

/** Lists that are handed on: `members` of the object, and `sponsors` of an object in it. */
function isLong(names: readonly string[]): boolean {
  return names.length === 1 ? names[0]?.toLowerCase() === "members" : names[1] === "sponsors";
}

/** The value of a text that comes in pieces, put together again. */
function splitAndJoined(text: string, cuts: readonly number[]): JsonValue {
  const handedOn: JsonValue[][] = [];
  const splitter = new JsonSplitter({
    maxDepth: MAX_DEPTH,
    maxHeld: 1000,
    openList: (names) => {
      if (!isLong(names)) return null;
      const values: JsonValue[] = [];
      handedOn.push(values);
      return (more) => {
        expect(more.length).toBeGreaterThan(0);
        values.push(...more);
      };
    },
  });
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  for (const [index, from] of places.entries()) splitter.write(text.slice(from, places[index + 1] ?? from));
  const { rest, lists } = splitter.end();
  expect(lists).toHaveLength(handedOn.length);
  const values = new Map(lists.map((list, index) => [list, handedOn[index] ?? []]));
  return joined(rest, values);
}

function joined(value: JsonValue, lists: ReadonlyMap<JsonValue, readonly JsonValue[]>): JsonValue {
  const long = lists.get(value);
  if (long !== undefined) return long;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, joined(each, lists)]));
}

function outcome(read: () => JsonValue): unknown {
  try {
    return read();
  } catch (error) {
    if (!isScimError(error)) throw error;
    return `${error.code}: ${error.detail}`;
  }
}

function same(source: string, cuts: readonly number[]): void {
  // Text that was valid UTF-8 holds no half of a pair; an empty one is refused before it is read.
  const text = source.toWellFormed();
  if (text === "") return;
  const held = outcome(() => decodeJson(new TextEncoder().encode(text), MAX_DEPTH));
  expect(outcome(() => splitAndJoined(text, cuts))).toEqual(held);
}

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, 0, -1.5, 1e21, "", "a", 'q"\\', "\u0001\n", "é😀", "[", "]},:{"),
  fc.string({ maxLength: 6 }),
);
const member: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.dictionary(fc.constantFrom("value", "display", "__proto__", "members"), leaf, { maxKeys: 3 }),
  leaf,
  fc.array(leaf, { maxLength: 3 }),
);
const list = fc.array(member, { maxLength: 5 });
const document: fc.Arbitrary<JsonObject> = fc.record(
  {
    schemas: fc.array(leaf, { maxLength: 2 }),
    members: fc.oneof(list, leaf),
    displayName: leaf,
    Members: list,
    urn: fc.record({ code: leaf, sponsors: list, members: list }, { requiredKeys: [] }),
    deep: fc.constant([[[["x"]]]]),
  },
  { requiredKeys: [] },
);
const text = fc
  .tuple(document, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe("a text in pieces is read as it would be as a whole", () => {
  test("where it is valid", () => {
    fc.assert(fc.property(text, cuts, same), { numRuns: 500 });
  });

  /** What may be put into a valid text, or in the place of a character. */
  const BRACKETS = [",", ":", "[", "]", "{", "}", "[[[[[[[", "[1,]", "[,1]"];
  const TEXTS = ['"', "\\", '"\\ud800"', '"\\x"', '"a":1,"a":2', "\u0001", " ", "\n", "", "x", "null"];
  const NUMBERS = ["0", "-", "1.", "12345678901234567891", "1e400"];
  const ruins = fc.constantFrom(...BRACKETS, ...TEXTS, ...NUMBERS);
  test("where something is wrong with it, and says what and where", () => {
    const ruin = fc.record({ at: fc.nat(), instead: ruins, drop: fc.boolean() });
    const ruined = fc.tuple(text, fc.array(ruin, { minLength: 1, maxLength: 2 })).map(([whole, all]) =>
      all.reduce((result, { at, instead, drop }) => {
        const place = at % (result.length + 1);
        return result.slice(0, place) + instead + result.slice(place + (drop ? 1 : 0));
      }, whole),
    );
    fc.assert(fc.property(ruined, cuts, same), {
      numRuns: 1000,
    });
  });

  test.each(["1e+4", "1E+400", "-1.5e-3", "0.1e+1", "12345678901234567891", "1e+", "1+1"])(
    "where the number %s is cut anywhere",
    (number) => {
      for (const source of [`{"a":${number}}`, `{"members":[${number}]}`]) {
        const whole = outcome(() => decodeJson(new TextEncoder().encode(source), MAX_DEPTH));
        const parted = Array.from(source, (_, cut) => outcome(() => splitAndJoined(source, [cut])));
        expect(parted).toEqual(parted.map(() => whole));
      }
    },
  );

  test.each(["[ \t]", "[\u00a0]", "[\ufeff1]", "[1,\u2028]"])("where a list holds spaces: %j", (spaces) => {
    const source = `{"members":${spaces}}`;
    const whole = outcome(() => decodeJson(new TextEncoder().encode(source), MAX_DEPTH));
    expect(outcome(() => splitAndJoined(source, [12]))).toEqual(whole);
  });

  test("where it breaks off", () => {
    const broken = fc.tuple(text, fc.nat()).map(([whole, at]) => whole.slice(0, 1 + (at % whole.length)));
    fc.assert(fc.property(broken, cuts, same), { numRuns: 500 });
  });
});

test.each([
  ["beside the lists", { displayName: "x".repeat(1100), members: [] }],
  ["in one value", { members: [{ value: "a" }, { display: "x".repeat(2000) }] }],
])("what is too long %s is refused, however short the rest", (_, value) => {
  const read = (): JsonValue => splitAndJoined(JSON.stringify(value), [300, 600, 900, 1200, 1500]);
  expect(outcome(read)).toBe(
    "payloadTooLarge: The body has more than 1000 characters beside its lists of references, or in one value of them; send less.",
  );
});

test("a list of any length is handed on in parts that follow the pieces", () => {
  const parts: number[] = [];
  const openList = () => (values: readonly JsonValue[]) => void parts.push(values.length);
  const splitter = new JsonSplitter({ maxDepth: MAX_DEPTH, maxHeld: 1000, openList });
  splitter.write('{"members":[');
  for (let count = 0; count < 50; count += 1) splitter.write('{"value":"a"},'.repeat(20));
  splitter.write('{"value":"b"}]}');
  expect(splitter.end().rest).toEqual({ members: [] });
  expect(parts).toEqual([...Array.from({ length: 50 }, () => 20), 1]);
});
