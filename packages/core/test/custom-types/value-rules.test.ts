import type { AttributeType, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ServiceLimits } from "../../src/index.ts";
import { ownValues } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { addGear, gear, PLACES, SPARE_URN } from "../support/gear.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

interface Rule {
  readonly type: AttributeType;
  readonly accepts: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
  /** What the refusal says must be. */
  readonly remedy: string;
}

/** The rules of the data types, in `strict`. */
const RULES: readonly (readonly [string, Rule])[] = [
  [
    "R7643-2.3.1-01 string",
    { type: "string", accepts: ["x", "日本", "a\u0000b"], refuses: [1, true, { a: 1 }], remedy: "a string" },
  ],
  [
    "R7643-2.3.2-01 boolean: JSON alone",
    { type: "boolean", accepts: [true, false], refuses: ["true", 0, 1, { a: 1 }], remedy: "true or false" },
  ],
  [
    "R7643-2.3.3-01 decimal",
    { type: "decimal", accepts: [0.5, -2, 1e-7, 5e-324, 1.7e308], refuses: ["1", true], remedy: "a number" },
  ],
  [
    "R7643-2.3.4-01 integer",
    {
      type: "integer",
      accepts: [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
      refuses: [0.5, "1", true],
      remedy: "a whole number",
    },
  ],
  [
    "R7643-2.3.5-01 dateTime: date, time and time zone that exist",
    {
      type: "dateTime",
      accepts: [
        "2026-01-31T08:00:00Z",
        "2026-01-31T08:00:00",
        "2026-01-31T08:00:00.123456+14:00",
        "2026-01-31T24:00:00-05:30",
      ],
      refuses: [
        "2026-01-31",
        "2026-01-31T08:00Z",
        "2026-02-29T08:00:00Z",
        "2026-01-31T08:00:00+14:01",
        "2026-01-31T08:00:00+0100",
        "2026-01-31 08:00:00Z",
        "20260131T080000Z",
        "2026-01-31T08:00:00 Europe/Berlin",
        0,
      ],
      remedy: "a date and time such as",
    },
  ],
  [
    "R7643-2.3.6-01 binary: Base64 with or without padding, never base64url",
    {
      type: "binary",
      accepts: ["AQID", "AQ==", "AQ", "+/+/"],
      refuses: ["-_-_", "A", "AQ=", "A===", "AQ==AQ==", "A Q=", "***", 1],
      remedy: "Base64",
    },
  ],
  [
    "R7643-2.3.7-01 reference",
    {
      type: "reference",
      accepts: ["https://x.example/a", "Users/1", "../Users/1", "urn:x:y", "http://[::1]:80/a?b=/?#c"],
      refuses: ["a\nb", "\u0000", "a b", "a#b#c", "a%4", "/a[b]", "http://[::1", "http://[x]", 1, true],
      remedy: "a URI",
    },
  ],
];

/** One service for all rules: to compile its models takes longer than to use them. */
const shared = testService(addGear()).as("strict");

describe.each(RULES)("%s", (_rule, { type, accepts, refuses, remedy }) => {
  test.each(PLACES)("$name", async ({ holding, path }) => {
    for (const value of accepts) {
      const values = holding(type, value);
      const created = await shared.post("Gear", gear(values));
      expect(ownValues(await shared.resource("Gear", idOf(created)))).toEqual(values);
      const put = await shared.put("Gear", idOf(created), gear(values));
      expect(put.version).toBe(created.version);
    }
    for (const value of refuses) {
      const refused = await refusal(shared.post("Gear", gear(holding(type, value))));
      expect([value, refused.answer]).toEqual([value, "400 invalidValue"]);
      expect(refused.detail).toMatch(new RegExp(`^Attribute '.+' must be (?:a string|${remedy})`));
      expect(refused.detail).toContain(`'${path(type)}'`);
    }
  });

  test("in a PATCH, with and without a path, on its own and in an extension", async () => {
    const id = idOf(await shared.post("Gear", gear()));
    for (const prefix of ["", `${SPARE_URN}:`]) {
      for (const value of refuses) {
        for (const operation of [
          { op: "add", path: `${prefix}${type}`, value },
          { op: "replace", path: `${prefix}part.${type}`, value },
          { op: "add", path: `${prefix}${type}s`, value: [value] },
          { op: "add", value: { [`${prefix}parts`]: [{ [type]: value }] } },
        ]) {
          const refused = await refusal(shared.patch("Gear", id, [operation]));
          expect([operation, refused.answer]).toEqual([operation, "400 invalidValue"]);
          expect(refused.detail).toContain(`'${prefix}`);
        }
      }
    }
    const operations = accepts.map((value) => ({ op: "add", path: `${SPARE_URN}:part.${type}`, value }));
    const patched = await shared.patched("Gear", id, operations);
    expect(ownValues(patched)).toEqual({ [SPARE_URN]: { part: { [type]: accepts.at(-1) } } });
  });
});

test.each([
  ["R7643-2.3.6-01 binary", "binary", "AQID"],
  ["R7643-2.3.7-01 reference", "reference", "a"],
] as const)("%s of 16 MiB", async (_rule, type, piece) => {
  const long = piece.repeat(2 ** 24 / piece.length);
  const value = { [type]: long };
  expect((await shared.post("Gear", gear(value))).resource?.[type] === long).toBe(true);
  expect((await refusal(shared.post("Gear", gear({ [type]: `${long}<` })))).answer).toBe("400 invalidValue");
});

interface Bound {
  readonly type: AttributeType;
  readonly limits: Partial<ServiceLimits>;
  readonly accepts: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
  readonly remedy: string;
}

const BOUNDS: readonly (readonly [string, Bound])[] = [
  [
    "stringLength, in code points",
    {
      type: "string",
      limits: { stringLength: 3 },
      accepts: ["abc", "😀😀😀"],
      refuses: ["abcd", "😀😀😀😀"],
      remedy: "have at most 3 characters",
    },
  ],
  [
    "decimalPrecision",
    {
      type: "decimal",
      limits: { decimalPrecision: 3 },
      accepts: [123, 0.00123],
      refuses: [1234, 1.234],
      remedy: "have at most 3 digits",
    },
  ],
  [
    "decimalScale",
    {
      type: "decimal",
      limits: { decimalScale: 2 },
      accepts: [1e21, 0.25],
      refuses: [0.125, 1e-7],
      remedy: "have at most 2 digits after the point",
    },
  ],
  [
    "integerMinimum",
    {
      type: "integer",
      limits: { integerMinimum: -5 },
      accepts: [-5],
      refuses: [-6],
      remedy: "be at least -5",
    },
  ],
  [
    "integerMaximum",
    { type: "integer", limits: { integerMaximum: 5 }, accepts: [5], refuses: [6], remedy: "be at most 5" },
  ],
];

describe.each(BOUNDS)("the limit %s", (_name, { type, limits, accepts, refuses, remedy }) => {
  test.each(PLACES)("$name", async ({ holding, path }) => {
    const client = testService(addGear(), { limits }).as("strict");
    for (const value of accepts) await client.post("Gear", gear(holding(type, value)));
    for (const value of refuses) {
      const refused = await refusal(client.post("Gear", gear(holding(type, value))));
      expect([value, refused.answer]).toEqual([value, "400 invalidValue"]);
      expect(refused.detail).toBe(`Attribute '${path(type)}' must ${remedy}.`);
    }
  });
});

describe("of a limit and an annotation the tighter one holds", () => {
  test.each<readonly [string, Partial<ServiceLimits>, object, AttributeType, JsonValue, JsonValue]>([
    ["a shorter annotation", { stringLength: 4 }, { maxLength: 2 }, "string", "ab", "abc"],
    ["a shorter limit", { stringLength: 2 }, { maxLength: 4 }, "string", "ab", "abc"],
    ["a smaller maximum", { integerMaximum: 4 }, { maximum: 2 }, "integer", 2, 3],
    ["a smaller limit", { integerMaximum: 2 }, { maximum: 4 }, "integer", 2, 3],
    ["a greater minimum", { integerMinimum: 1 }, { minimum: 3 }, "integer", 3, 2],
    ["a smaller precision", { decimalPrecision: 4 }, { precision: 2 }, "decimal", 12, 123],
    ["a smaller scale", { decimalScale: 1 }, { scale: 2 }, "decimal", 0.1, 0.11],
  ])("%s", async (_name, limits, annotation, type, accepted, refused) => {
    const annotations = { [type]: annotation, [`${SPARE_URN}:part.${type}`]: annotation };
    const client = testService(addGear(annotations), { limits }).as("strict");
    const places = [
      (value: JsonValue) => ({ [type]: value }),
      (value: JsonValue) => ({ [SPARE_URN]: { part: { [type]: value } } }),
    ];
    for (const holding of places) {
      await client.post("Gear", gear(holding(accepted)));
      expect((await refusal(client.post("Gear", gear(holding(refused))))).answer).toBe("400 invalidValue");
    }
  });
});

test("the default limits let pass what is no attack", async () => {
  await shared.post("Gear", gear({ string: "x".repeat(65_536) }));
  const refused = await refusal(shared.post("Gear", gear({ string: "x".repeat(65_537) })));
  expect(refused.detail).toBe("Attribute 'string' must have at most 65536 characters.");
  for (const integer of [Number.MAX_SAFE_INTEGER + 1, Number.MIN_SAFE_INTEGER - 1]) {
    expect((await refusal(shared.post("Gear", gear({ integer })))).answer).toBe("400 invalidValue");
  }
});
