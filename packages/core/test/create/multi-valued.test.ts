import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { addGear, GEAR_URN } from "../support/gear.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, extended, extendedValue } from "../support/test-extension.ts";

async function emailsOf(emails: JsonValue): Promise<JsonValue | undefined> {
  return (await testService().as().post("User", user({ emails }))).resource["emails"];
}

describe("R7643-2.4-03 at most one primary value", () => {
  const two = [
    { value: "a@x.example", primary: true },
    { value: "b@x.example", primary: true },
  ];
  const emptySecond = [
    { value: "a@x.example", primary: true },
    { primary: true, value: "" },
  ];

  test("two are refused in every profile", async () => {
    for (const profile of ["strict", "tolerant"] as const) {
      const refused = await refusal(
        testService()
          .as(profile)
          .post("User", user({ emails: two })),
      );
      expect(refused.answer).toBe("400 invalidValue");
      expect(refused.detail).toContain("'emails'");
    }
  });

  test("two that are the same value are one", async () => {
    const twice = [two[0], two[0]] as JsonValue;
    expect(await emailsOf(twice)).toEqual([two[0]]);
  });

  test.each<readonly [string, JsonObject[]]>([
    ["after the first", emptySecond],
    ["before the first", emptySecond.toReversed()],
    ["without value at all", [emptySecond[0] ?? {}, { primary: true, type: "home" }]],
  ])("an empty second one is dropped in tolerant: %s", async (_name, emails) => {
    const tested = testService();
    const { resource } = await tested.as("tolerant").post("User", user({ emails }));
    expect(resource["emails"]).toEqual([emptySecond[0]]);
    expect(tested.fired).toEqual(["empty-second-primary emails"]);
    const refused = await refusal(testService().as("strict").post("User", user({ emails })));
    expect(refused.answer).toBe("400 invalidValue");
  });

  test("primary is a boolean of any multi-valued attribute that has it", async () => {
    const items = [
      { value: "a", primary: true },
      { value: "b", primary: true },
    ];
    const client = testService(bindTestExtension()).as("tolerant");
    expect((await refusal(client.post("User", user(extended({ items }))))).answer).toBe("400 invalidValue");
  });
});

describe("values that are the same become one: the first takes what it lacks", () => {
  const ROWS: readonly (readonly [string, JsonValue, JsonValue])[] = [
    [
      "R7643-2.4-07 the same value and type",
      [
        { value: "a@x.example", type: "work" },
        { value: "a@x.example", type: "work", display: "A" },
      ],
      [{ value: "a@x.example", type: "work", display: "A" }],
    ],
    [
      "the same value without type",
      [{ value: "a@x.example" }, { value: "a@x.example", display: "A" }],
      [{ value: "a@x.example", display: "A" }],
    ],
    [
      "caseExact false: in another letter case, as first sent",
      [
        { value: "A@x.example", type: "work" },
        { value: "a@X.example", type: "WORK" },
      ],
      [{ value: "A@x.example", type: "work" }],
    ],
    [
      "the same sub-attributes without a value, of which one says that it is not primary",
      [
        { type: "work", display: "A" },
        { primary: false, display: "a", type: "Work" },
      ],
      [{ type: "work", display: "A", primary: false }],
    ],
    [
      "primary true is taken even where the first says false",
      [
        { value: "a@x.example", primary: false },
        { value: "a@x.example", primary: true },
      ],
      [{ value: "a@x.example", primary: true }],
    ],
    [
      "what the first has stays",
      [
        { value: "a@x.example", display: "first" },
        { value: "a@x.example", display: "second" },
      ],
      [{ value: "a@x.example", display: "first" }],
    ],
    [
      "R7643-2.4-07 another type is another value",
      [
        { value: "a@x.example", type: "work" },
        { value: "a@x.example", type: "home" },
      ],
      [
        { value: "a@x.example", type: "work" },
        { value: "a@x.example", type: "home" },
      ],
    ],
    [
      "no value: equal in all sub-attributes",
      [
        { type: "work", display: "A" },
        { display: "A", type: "work" },
        { type: "work", display: "B" },
      ],
      [
        { type: "work", display: "A" },
        { type: "work", display: "B" },
      ],
    ],
    [
      "three equal ones (Microsoft's validator)",
      [{ value: "1" }, { value: "1" }, { value: "1" }],
      [{ value: "1" }],
    ],
    [
      "the order is that of sending",
      [{ value: "c" }, { value: "a" }, { value: "c" }, { value: "b" }],
      [{ value: "c" }, { value: "a" }, { value: "b" }],
    ],
  ];

  test.each(ROWS)("%s", async (_name, sent, kept) => {
    expect(await emailsOf(sent)).toEqual(kept);
  });

  const SIMPLE: readonly (readonly [string, string, JsonValue, JsonValue])[] = [
    ["caseExact false", "tags", ["Red", "red", "blue"], ["Red", "blue"]],
    ["caseExact true", "codes", ["Red", "red", "Red"], ["Red", "red"]],
    ["numbers", "nums", [1, 2, 1], [1, 2]],
    [
      "complex without a type: the value alone",
      "items",
      [{ value: "a" }, { value: "a", qty: 2 }],
      [{ value: "a", qty: 2 }],
    ],
    [
      "complex without a value: all sub-attributes",
      "rows",
      [{ key: "a" }, { key: "a" }, { key: "a", data: "b" }],
      [{ key: "a" }, { key: "a", data: "b" }],
    ],
  ];

  test.each(SIMPLE)("%s", async (_name, attribute, sent, kept) => {
    const client = testService(bindTestExtension()).as();
    const { resource } = await client.post("User", user(extended({ [attribute]: sent })));
    expect(extendedValue(resource, attribute)).toEqual(kept);
  });

  test("addresses have no value: equal in all sub-attributes", async () => {
    const addresses = [{ type: "work", country: "US" }, { country: "US", type: "work" }, { type: "home" }];
    const { resource } = await testService().as().post("User", user({ addresses }));
    expect(resource["addresses"]).toEqual([{ type: "work", country: "US" }, { type: "home" }]);
  });
});

describe("canonical values (A-SCH-04)", () => {
  const emails = [{ value: "a@x.example", type: "yacht" }];

  test("strict enforces them, naming them", async () => {
    const refused = await refusal(testService().as("strict").post("User", user({ emails })));
    expect(refused.answer).toBe("400 invalidValue");
    expect(refused.detail).toContain("work, home, other");
  });

  test("tolerant accepts others and reports them once for the attribute", async () => {
    const tested = testService();
    const several = [...emails, { value: "b@x.example", type: "boat" }];
    const { resource } = await tested.as("tolerant").post("User", user({ emails: several }));
    expect(resource["emails"]).toEqual(several);
    expect(tested.fired).toEqual(["non-canonical-values emails.type"]);
  });

  test("letter case does not matter where caseExact is false, and is kept", async () => {
    expect(await emailsOf([{ value: "a@x.example", type: "WORK" }])).toEqual([
      { value: "a@x.example", type: "WORK" },
    ]);
  });
});

describe("how many values there may be", () => {
  test("attributeValues of a list that is no reference collection", async () => {
    const client = testService(bindTestExtension(), { limits: { attributeValues: 3 } }).as();
    const values = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, index) => ({ value: `e${String(index)}` }));
    await client.post("User", user({ userName: "a", emails: values(3) }));
    for (const body of [user({ emails: values(4) }), user(extended({ nums: [1, 2, 3, 4] }))]) {
      const refused = await refusal(client.post("User", body));
      expect(refused.answer).toBe("400 invalidValue");
      expect(refused.detail).toContain("more than 3 values");
    }
  });

  test("a list of too many is refused before its values are read", async () => {
    const client = testService(addGear(), { limits: { attributeValues: 3 } }).as();
    let reads = 0;
    const counted = (count: number): JsonValue[] =>
      Object.defineProperty<JsonValue[]>(Array.from({ length: count }, String), 0, {
        get: () => (reads += 1),
      });
    const id = idOf(await client.post("Gear", { schemas: [GEAR_URN] }));
    for (const values of [{ strings: counted(4) }, { part: { strings: counted(4) } }]) {
      await expect(client.post("Gear", { schemas: [GEAR_URN], ...values })).rejects.toThrow(
        "more than 3 values",
      );
      for (const op of ["add", "replace"])
        await expect(client.patch("Gear", id, [{ op, value: values }])).rejects.toThrow("more than 3 values");
    }
    const removed = { op: "remove", path: "strings", value: counted(200_001) };
    await expect(client.patch("Gear", id, [removed])).rejects.toThrow("send them in several requests");
    expect(reads).toBe(0);
  });

  test("attributeValues of a list inside a complex value, also where PATCH appends", async () => {
    const client = testService(addGear(), { limits: { attributeValues: 3 } }).as();
    const gear = (integers: readonly number[]): JsonObject => ({ schemas: [GEAR_URN], part: { integers } });
    const detail = "Attribute 'part.integers' has more than 3 values: send fewer.";
    const refused = await refusal(client.post("Gear", gear([1, 2, 3, 4])));
    expect(refused).toMatchObject({ answer: "400 invalidValue", detail });
    const id = idOf(await client.post("Gear", gear([1, 2, 3])));
    const add = [{ op: "add", path: "part.integers", value: [4] }];
    expect(await refusal(client.patch("Gear", id, add))).toMatchObject({
      answer: "400 invalidValue",
      detail,
    });
  });

  test("a list inside a complex value that was stored under a greater limit is made no longer", async () => {
    const before = testService(addGear());
    await before.as().post("Gear", { schemas: [GEAR_URN], part: { integers: [1, 2, 3, 4] } });
    const restarted = testService(addGear(), { limits: { attributeValues: 3 }, wrap: () => before.store });
    const refused = { answer: "400 invalidValue", detail: expect.stringContaining("more than 3 values") };
    for (const operation of [
      { op: "add", path: "part.integers", value: [5] },
      { op: "add", path: "part", value: { integers: [5] } },
    ])
      expect(await refusal(restarted.as().patch("Gear", "id-1", [operation]))).toMatchObject(refused);
    const shorten = { op: "remove", path: "part.integers", value: [1] };
    expect(await restarted.as().patched("Gear", "id-1", [shorten])).toMatchObject({
      part: { integers: [2, 3, 4] },
    });
  });

  test("a list inside a complex value that was stored under a greater limit may keep as many values", async () => {
    const before = testService(addGear());
    await before.as().post("Gear", { schemas: [GEAR_URN], part: { integers: [1, 2, 3, 4] } });
    const restarted = testService(addGear(), { limits: { attributeValues: 3 }, wrap: () => before.store });
    const exchange = [
      { op: "remove", path: "part.integers", value: [1] },
      { op: "add", path: "part.integers", value: [5] },
    ];
    expect(await restarted.as().patched("Gear", "id-1", exchange)).toMatchObject({
      part: { integers: [2, 3, 4, 5] },
    });
  });

  test("a list inside a value of a list that was stored under a greater limit is shortened step by step", async () => {
    const before = testService(addGear());
    const parts = [
      { string: "a", integers: [1, 2, 3, 4, 5] },
      { string: "b", integers: [1, 2, 3] },
    ];
    await before.as().post("Gear", { schemas: [GEAR_URN], parts });
    const restarted = testService(addGear(), { limits: { attributeValues: 3 }, wrap: () => before.store });
    const change = (op: string, part: string, value: readonly JsonValue[]) =>
      restarted.as().patched("Gear", "id-1", [{ op, path: `parts[string eq "${part}"].integers`, value }]);
    await expect(change("add", "a", [6])).rejects.toThrow("more than 3 values");
    await expect(change("add", "b", [4])).rejects.toThrow("more than 3 values");
    const rename = { op: "replace", path: 'parts[string eq "a"].string', value: "c" };
    expect(await restarted.as().patched("Gear", "id-1", [rename])).toMatchObject({
      parts: [{ string: "c", integers: [1, 2, 3, 4, 5] }, parts[1]],
    });
    expect(await change("remove", "c", [1])).toMatchObject({ parts: [{ integers: [2, 3, 4, 5] }, parts[1]] });
    await expect(change("add", "c", [1])).rejects.toThrow("more than 3 values");
    expect(await change("remove", "c", [2])).toMatchObject({ parts: [{ integers: [3, 4, 5] }, parts[1]] });
  });

  test("references have no such limit", async () => {
    const client = testService(undefined, { limits: { attributeValues: 3 } }).as();
    const members = ["a", "b", "c", "d"].map((value) => ({ value }));
    const { resource } = await client.post("Group", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "All",
      members,
    });
    expect(resource["members"]).toEqual(members);
  });
});

describe("a multi-valued sub-attribute", () => {
  const urn = "urn:example:params:scim:schemas:core:2.0:Room";
  const client = testService((registry) => {
    registry.addSchema({
      id: urn,
      attributes: [
        {
          name: "door",
          type: "complex",
          subAttributes: [{ name: "keys", type: "string", multiValued: true }],
        },
      ],
    });
    registry.addResourceType({ name: "Room", endpoint: "/Rooms", schema: urn });
  }).as("strict");

  test("R7643-2.4-07 holds equal values once", async () => {
    const { resource } = await client.post("Room", { schemas: [urn], door: { keys: ["a", "b", "A"] } });
    expect(resource["door"]).toEqual({ keys: ["a", "b"] });
    const patched = await client.patched("Room", String(resource["id"]), [
      { op: "replace", path: "door.keys", value: ["c", "C"] },
    ]);
    expect(patched["door"]).toEqual({ keys: ["c"] });
  });
});
