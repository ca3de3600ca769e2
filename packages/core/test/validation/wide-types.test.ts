import type { JsonObject, SchemaRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import type { ResourceHooks } from "../../src/index.ts";
import { ownValues } from "../support/bodies.ts";
import { testService } from "../support/service.ts";

const WIDE = "urn:example:params:scim:schemas:acme:1.0:Wide";
const MORE = "urn:example:params:scim:schemas:extension:acme:1.0:Wide";

/** Attributes of the schema, and of its extension. */
const MANY = 900;

const plain = (name: string): JsonObject => ({ name, type: "string" });
const named = (prefix: string): readonly string[] =>
  Array.from({ length: MANY }, (_, number) => `${prefix}${number}`);

function addWide(registry: SchemaRegistry, isExtended: boolean = false): void {
  const parts = ["first", "second"].map(plain);
  registry.addSchema({
    id: WIDE,
    attributes: [
      ...named("a").map(plain),
      { name: "label", type: "string", required: true },
      { name: "lists", type: "complex", multiValued: true, subAttributes: parts },
    ],
  });
  registry.addSchema({
    id: MORE,
    attributes: [...named("m").map(plain), { name: "note", type: "string", required: true }],
  });
  registry.addResourceType({
    name: "Wide",
    endpoint: "/Wides",
    schema: WIDE,
    schemaExtensions: [{ schema: MORE, required: isExtended }],
    annotations: { a7: { default: "seven" } },
  });
}

const wide = (values: JsonObject = {}): JsonObject => ({
  schemas: [WIDE, MORE],
  label: "x",
  a7: "7",
  ...values,
});

const FILLED = {
  ...Object.fromEntries(named("a").map((name) => [name, "x"])),
  lists: [{ first: "x" }],
  [MORE]: { note: "x", ...Object.fromEntries(named("m").map((name) => [name, "x"])) },
};

const PATCHED = [{ op: "replace", value: FILLED }];

test.each(["POST", "PUT", "PATCH"])(
  "the first %s of a type with thousands of attributes lets others have their turn",
  async (method) => {
    const client = testService(addWide).as("strict");
    if (method !== "POST") await client.post("Wide", wide());
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    if (method === "POST") await client.post("Wide", wide(FILLED));
    else if (method === "PUT") await client.put("Wide", "id-1", wide(FILLED));
    else await client.patch("Wide", "id-1", PATCHED, { prefer: "minimal" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    const { label, ...values } = ownValues(await client.resource("Wide", "id-1"));
    expect([label, values]).toEqual(["x", FILLED]);
  },
);

test("what a hook makes of a resource of such a type lets others have their turn", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const hooks: ResourceHooks = {
    plan: (_, { after }) => {
      turns = 0;
      return { ...after, a1: "amended" };
    },
  };
  const client = testService(addWide, { hooks: { Wide: hooks } }).as("strict");
  await client.post("Wide", wide(FILLED));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
  expect(ownValues(await client.resource("Wide", "id-1"))).toEqual({ label: "x", ...FILLED, a1: "amended" });
});

test.each<[string, JsonObject, string]>([
  ["of two faults the first", { a899: 1, a3: 1 }, "'a3' must be a string"],
  ["what is missing before what is wrong", { label: null, a3: 1 }, "'label' is required"],
  [
    "within a value of a list",
    { lists: [{ first: "x" }, { second: 1 }] },
    "'lists[1].second' must be a string",
  ],
  [
    "the schema before its extension",
    { lists: [{ first: 1 }], [MORE]: { m1: "x" } },
    "'lists[0].first' must",
  ],
  ["what an extension lacks before what is wrong in it", { [MORE]: { m1: 1 } }, `'${MORE}:note' is required`],
  ["the last of an extension", { [MORE]: { m899: 1, note: "x" } }, `'${MORE}:m899' must be a string`],
  ["what has no parts", { [MORE]: "x" }, `'${MORE}' must be an object`],
])("of a type with thousands of attributes %s is told", async (_, values, detail) => {
  const client = testService(addWide).as("strict");
  await expect(client.post("Wide", wide(values))).rejects.toThrow(`Attribute ${detail}`);
});

test("a default of a type with thousands of attributes is set", async () => {
  const client = testService(addWide).as("strict");
  await client.post("Wide", { schemas: [WIDE], LABEL: "x" });
  expect(ownValues(await client.resource("Wide", "id-1"))).toEqual({ label: "x", a7: "seven" });
});

test("R7643-6-02 a type with thousands of attributes demands its required extension", async () => {
  const client = testService((registry) => addWide(registry, true)).as("strict");
  const lacking = `Attribute '${MORE}' is required`;
  await expect(client.post("Wide", { schemas: [WIDE], label: "x" })).rejects.toThrow(lacking);
  await client.post("Wide", wide({ [MORE]: { note: "x" } }));
  await expect(client.put("Wide", "id-1", { schemas: [WIDE], label: "y" })).rejects.toThrow(lacking);
});
