import type { JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, extended, extendedValue, TEST_URN } from "../support/test-extension.ts";

interface Row {
  readonly accepts: readonly JsonValue[];
  readonly refuses: readonly JsonValue[];
}

/** By an attribute of each type. Values are told apart by the letter of the RFC. */
const TYPES: readonly (readonly [string, string, Row])[] = [
  [
    "R7643-2.3.1-01 string",
    "code",
    { accepts: ["", "x", "日本", "😀", "a\nb"], refuses: [1, true, {}, ["x"], { value: "x" }] },
  ],
  [
    "R7643-2.3.2-01 boolean",
    "flag",
    { accepts: [true, false], refuses: ["true", "True", "", 1, 0, {}, [true]] },
  ],
  [
    "R7643-2.3.3-01 decimal",
    "score",
    { accepts: [1.5, -0.25, 2, 0, 1e300], refuses: ["1.5", true, {}, [1.5]] },
  ],
  [
    "R7643-2.3.4-01 integer",
    "age",
    {
      accepts: [0, -7, 1e3, Number.MAX_SAFE_INTEGER],
      refuses: [1.5, "1", true, {}, Number.MAX_SAFE_INTEGER + 1, 1e300],
    },
  ],
  [
    "R7643-2.3.5-01 dateTime",
    "joined",
    {
      accepts: [
        "2020-01-01T00:00:00Z",
        "2020-01-01T00:00:00.123+01:00",
        "2020-01-01T00:00:00",
        "2020-02-29T23:59:59.999999Z",
      ],
      refuses: ["2020-01-01", "2020-02-30T00:00:00Z", "2021-02-29T00:00:00Z", "now", "", 1577836800, true],
    },
  ],
  [
    "R7643-2.3.6-01 binary",
    "blob",
    {
      accepts: ["AQID", "AQ==", "AQ", "AQI=", "AQI"],
      refuses: ["***", "A", "AQ=", "A-_B", "AQ ID", 1, true],
    },
  ],
  [
    "R7643-2.3.7-01 reference",
    "link",
    {
      accepts: ["https://x.example/a?b#c", "/a", "a/b", "urn:example:a", "https://x.example/%C3%9C"],
      refuses: ["https://x.example/Ü b", "https://x.example/\na", "a\u0000b", "a\u007fb", 1, true, {}],
    },
  ],
  [
    "R7643-2.3.8-01 complex",
    "profile",
    { accepts: [{ grade: "a" }, { grade: "a", level: 3 }], refuses: ["a", 1, true, [{ grade: "a" }]] },
  ],
  ["multi-valued", "nums", { accepts: [[1, 2], [3]], refuses: [["1"], [1, true], [[1]]] }],
];

describe("data types (RFC 7643 §2.3)", () => {
  test.each(TYPES)("%s: accepted and answered as sent", async (_name, attribute, { accepts }) => {
    const client = testService(bindTestExtension()).as();
    for (const [index, value] of accepts.entries()) {
      const body = user({ userName: String(index), ...extended({ [attribute]: value }) });
      expect(extendedValue((await client.post("User", body)).resource, attribute)).toEqual(value);
    }
  });

  test.each(TYPES)("%s: refused, naming the attribute", async (_name, attribute, { refuses }) => {
    const client = testService(bindTestExtension()).as();
    for (const value of refuses) {
      const refused = await refusal(client.post("User", user(extended({ [attribute]: value }))));
      expect([value, refused.answer]).toEqual([value, "400 invalidValue"]);
      expect(refused.detail).toContain(`'${TEST_URN}:${attribute}`);
    }
  });

  test("R7643-2.3.5-02 a dateTime is kept as sent and compared as the instant", async () => {
    const client = testService(bindTestExtension()).as();
    await client.post("User", user(extended({ joined: "2020-01-01T01:00:00.0+01:00" })));
    const matches = (filter: string): Promise<readonly JsonValue[]> => client.matches("User", filter);
    expect(await matches(`${TEST_URN}:joined eq "2020-01-01T00:00:00Z"`)).toEqual(["id-1"]);
    expect(await matches(`${TEST_URN}:joined eq "2020-01-01T01:00:00Z"`)).toEqual([]);
  });

  test("a fault names the value by its index and sub-attribute", async () => {
    const items = [{ value: "a" }, { value: "b", qty: 1.5 }];
    const refused = await refusal(
      testService(bindTestExtension())
        .as()
        .post("User", user(extended({ items }))),
    );
    expect(refused.detail).toContain(`'${TEST_URN}:items[1].qty'`);
  });

  test("errors never show a value", async () => {
    const secret = "hunter2hunter2";
    const refused = await refusal(
      testService(bindTestExtension())
        .as()
        .post("User", user(extended({ age: secret }))),
    );
    expect(JSON.stringify(refused)).not.toContain(secret);
  });
});

describe("annotations (length limits, range, precision and scale)", () => {
  const ANNOTATED: readonly (readonly [string, string, object, Row])[] = [
    ["minLength", "code", { minLength: 2 }, { accepts: ["ab", "😀😀"], refuses: ["a", "😀", ""] }],
    ["maxLength", "code", { maxLength: 2 }, { accepts: ["", "ab", "😀😀"], refuses: ["abc", "😀😀😀"] }],
    ["maxLength of a reference", "link", { maxLength: 4 }, { accepts: ["/abc"], refuses: ["/abcd"] }],
    ["maxLength of a binary", "blob", { maxLength: 4 }, { accepts: ["AQID"], refuses: ["AQIDAQID"] }],
    ["minimum and maximum", "age", { minimum: 0, maximum: 9 }, { accepts: [0, 9], refuses: [-1, 10] }],
    ["of a decimal", "score", { minimum: 0.5 }, { accepts: [0.5, 2], refuses: [0.25] }],
    [
      "precision",
      "score",
      { precision: 3 },
      { accepts: [123, 1.25, 0.001, -999], refuses: [1234, 1.234, 100.5] },
    ],
    ["scale", "score", { scale: 2 }, { accepts: [1, 1.5, 1.25, 1e21], refuses: [1.125, 0.001, 1e-7] }],
    ["in a list", "nums", { maximum: 5 }, { accepts: [[1, 5]], refuses: [[1, 6]] }],
  ];

  test.each(ANNOTATED)("%s", async (_name, attribute, annotation, { accepts, refuses }) => {
    const client = testService(bindTestExtension({ [attribute]: annotation })).as();
    for (const [index, value] of accepts.entries()) {
      const body = user({ userName: String(index), ...extended({ [attribute]: value }) });
      expect(extendedValue((await client.post("User", body)).resource, attribute)).toEqual(value);
    }
    for (const value of refuses) {
      const refused = await refusal(client.post("User", user(extended({ [attribute]: value }))));
      expect([value, refused.answer]).toEqual([value, "400 invalidValue"]);
      expect(refused.detail).toContain(`'${TEST_URN}:${attribute}`);
    }
  });
});
