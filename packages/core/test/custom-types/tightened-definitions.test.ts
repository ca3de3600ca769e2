/**
 * Definitions that ask more than those that a resource was stored by: whoever changes something else of it is not held up, and
 * what does not fit stays until it is replaced.
 */
import type { JsonObject, JsonValue, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ResourceHooks } from "../../src/index.ts";
import { ownValues } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const THING = "urn:example:params:scim:schemas:acme:1.0:Thing";
const SEAL = "urn:example:params:scim:schemas:extension:acme:1.0:Thing";
const text = { type: "string" };
const STORED: JsonObject = {
  active: true,
  code: "long",
  place: { room: "r1" },
  tags: ["one", "three"],
  doors: [
    { value: "d1", kind: "odd" },
    { value: "d2", kind: "front" },
  ],
  [SEAL]: { stamp: "s" },
};

function define(registry: SchemaRegistry, isTight: boolean): void {
  const required = { ...text, required: isTight };
  const place = {
    type: "complex",
    subAttributes: [
      { ...text, name: "room" },
      { ...required, name: "house" },
    ],
  };
  registry.addDocuments([
    {
      source: "seal",
      document: {
        id: SEAL,
        attributes: [
          { ...text, name: "stamp" },
          { ...required, name: "wax" },
        ],
      },
    },
    {
      source: "thing",
      document: {
        id: THING,
        attributes: [
          { name: "active", type: "boolean" },
          { ...text, name: "code" },
          { ...required, name: "owner" },
          { ...place, name: "place" },
          { ...place, name: "annex" },
          { ...text, name: "tags", multiValued: true },
          {
            name: "doors",
            type: "complex",
            multiValued: true,
            subAttributes: [
              { ...text, name: "value" },
              { ...text, name: "kind", ...(isTight ? { canonicalValues: ["front", "back"] } : {}) },
              { ...required, name: "key" },
            ],
          },
        ],
      },
    },
    {
      source: "type",
      document: {
        name: "Thing",
        endpoint: "/Things",
        schema: THING,
        schemaExtensions: [{ schema: SEAL, required: isTight }],
        ...(isTight ? { annotations: { code: { maxLength: 3 }, tags: { maxLength: 4 } } } : {}),
      },
    },
  ]);
}

interface Tightened {
  readonly client: TestClient;
  readonly id: string;
}

/** A thing that was stored before its type asked more. */
async function tightened(hooks: Readonly<Record<string, ResourceHooks>> = {}): Promise<Tightened> {
  const { store, as } = testService((registry) => {
    define(registry, false);
  });
  const id = idOf(await as("strict").post("Thing", { schemas: [THING, SEAL], ...STORED }));
  const restarted = testService(
    (registry) => {
      define(registry, true);
    },
    { hooks, wrap: () => store },
  );
  return { client: restarted.as("strict"), id };
}

describe("a PATCH asks of what it changes alone that it fits", () => {
  test.each<[title: string, operations: JsonObject[], changed: JsonObject]>([
    ["another attribute", [{ op: "replace", path: "active", value: false }], { active: false }],
    ["what lacked", [{ op: "add", path: "owner", value: "o" }], { owner: "o" }],
    ["what did not fit", [{ op: "replace", path: "code", value: "new" }], { code: "new" }],
    [
      "a sub-attribute beside one that lacks",
      [{ op: "replace", path: "place.room", value: "r2" }],
      { place: { room: "r2" } },
    ],
    [
      "values beside one that does not fit",
      [{ op: "add", path: "tags", value: ["two"] }],
      { tags: ["one", "three", "two"] },
    ],
    [
      "a value beside ones that do not fit",
      [{ op: "add", path: "doors", value: [{ value: "d3", kind: "back", key: "k" }] }],
      {
        doors: [
          { value: "d1", kind: "odd" },
          { value: "d2", kind: "front" },
          { value: "d3", kind: "back", key: "k" },
        ],
      },
    ],
    [
      "one of two values that do not fit, which it makes fit",
      [{ op: "add", path: 'doors[value eq "d2"].key', value: "k" }],
      {
        doors: [
          { value: "d1", kind: "odd" },
          { value: "d2", kind: "front", key: "k" },
        ],
      },
    ],
    [
      "values that do not fit, taken away",
      [{ op: "remove", path: 'doors[value eq "d1"]' }],
      { doors: [{ value: "d2", kind: "front" }] },
    ],
    [
      "an extension that lacks something",
      [{ op: "replace", path: `${SEAL}:stamp`, value: "t" }],
      { [SEAL]: { stamp: "t" } },
    ],
  ])("%s", async (_, operations, changed) => {
    const { client, id } = await tightened();
    expect(ownValues(await client.patched("Thing", id, operations))).toEqual({ ...STORED, ...changed });
    expect(ownValues(await client.resource("Thing", id))).toEqual({ ...STORED, ...changed });
  });

  test.each<[title: string, operations: JsonObject[], refused: string]>([
    ["", [{ op: "add", path: "doors", value: [{ value: "d3" }] }], "'doors[2].key' is required"],
    [
      "",
      [{ op: "add", path: "doors", value: [{ value: "d3", kind: "odd", key: "k" }] }],
      "'doors.kind' must be one of",
    ],
    ["", [{ op: "replace", path: 'doors[value eq "d2"].value', value: "d3" }], "'doors[1].key' is required"],
    ["", [{ op: "replace", path: "tags", value: ["one", "seven"] }], "'tags[1]' must have at most 4"],
    ["", [{ op: "replace", path: "code", value: "longer" }], "'code' must have at most 3"],
    ["", [{ op: "add", path: "annex", value: { room: "r1" } }], "'annex.house' is required"],
    ["", [{ op: "remove", path: SEAL }], `'${SEAL}' is required`],
  ])("%s%j: %s", async (_, operations, refused) => {
    const { client, id } = await tightened();
    const { answer, detail } = await refusal(client.patch("Thing", id, operations));
    expect([answer, detail]).toEqual(["400 invalidValue", expect.stringContaining(refused)]);
    expect(ownValues(await client.resource("Thing", id))).toEqual(STORED);
  });

  test("what a hook leaves as it was", async () => {
    const { client, id } = await tightened({
      Thing: { plan: (_, { after }) => (after === null ? undefined : { ...after, active: false }) },
    });
    expect(
      ownValues(await client.patched("Thing", id, [{ op: "remove", path: 'tags[value eq "one"]' }])),
    ).toEqual({
      ...STORED,
      active: false,
      tags: ["three"],
    });
  });
});

test("a list that was stored under a greater limit is changed and shortened, and made no longer", async () => {
  const tags = ["one", "two", "three", "four"];
  const before = testService((registry) => {
    define(registry, false);
  });
  await before.as("strict").post("Thing", { schemas: [THING], tags });
  const limits = { attributeValues: 2 };
  const restarted = testService(
    (registry) => {
      define(registry, false);
    },
    { limits, wrap: () => before.store },
  );
  const tagsAfter = async (op: string, value: JsonValue): Promise<JsonValue | undefined> =>
    (await restarted.as("strict").patched("Thing", "id-1", [{ op, path: "tags", value }]))["tags"];
  const tooMany = "'tags' has more than 2 values";
  await expect(tagsAfter("add", ["five"])).rejects.toThrow(tooMany);
  expect(await tagsAfter("replace", ["1", "2", "3", "4"])).toEqual(["1", "2", "3", "4"]);
  expect(await tagsAfter("remove", ["1"])).toEqual(["2", "3", "4"]);
  await expect(tagsAfter("replace", ["1", "2", "3", "4"])).rejects.toThrow(tooMany);
});

test("what does not fit is read and found as it is, until a PUT replaces it by what fits", async () => {
  const { client, id } = await tightened();
  expect(ownValues(await client.resource("Thing", id))).toEqual(STORED);
  for (const filter of ['code eq "long"', 'doors.kind eq "odd"', 'tags eq "three"', "not (owner pr)"])
    expect(await client.matches("Thing", filter), filter).toEqual([id]);
  const schemas = [THING, SEAL];
  const { answer } = await refusal(client.put("Thing", id, { schemas, ...STORED }));
  expect(answer).toBe("400 invalidValue");
  expect(ownValues(await client.resource("Thing", id))).toEqual(STORED);
  const fitting = { owner: "o", active: false, [SEAL]: { wax: "w" } };
  expect(ownValues((await client.put("Thing", id, { schemas, ...fitting })).resource)).toEqual(fitting);
  expect(await client.matches("Thing", 'doors.kind eq "odd"')).toEqual([]);
});
