import type { JsonObject, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ServiceLimits } from "../../src/index.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { recordingStore, type RecordedReferences } from "../support/store-wrappers.ts";

const CREW = "urn:example:params:scim:schemas:core:2.0:Crew";
const KIT = "urn:example:params:scim:schemas:extension:kit:2.0:Crew";

function references(name: string): JsonObject {
  return {
    name,
    type: "complex",
    multiValued: true,
    required: true,
    subAttributes: [
      { name: "value", type: "string", caseExact: true },
      { name: "$ref", type: "reference", referenceTypes: ["User"] },
    ],
  };
}

/** Crew, which must have people, and where it has a kit, the kit must have tools. */
function addCrews(registry: SchemaRegistry): void {
  registry.addSchema({
    id: CREW,
    name: "Crew",
    attributes: [{ name: "title", type: "string" }, references("people")],
  });
  registry.addSchema({
    id: KIT,
    name: "Kit",
    attributes: [{ name: "note", type: "string" }, references("tools")],
  });
  registry.addResourceType({
    name: "Crew",
    endpoint: "/Crews",
    schema: CREW,
    schemaExtensions: [{ schema: KIT, required: false }],
  });
}

async function crew(
  rest: JsonObject,
  limits: Partial<ServiceLimits> = {},
): Promise<{
  readonly client: TestClient;
  readonly looks: RecordedReferences[];
}> {
  const looks: RecordedReferences[] = [];
  const wrap = (store: Parameters<typeof recordingStore>[0]) => recordingStore(store, { references: looks });
  const client = testService(addCrews, { wrap, limits }).as();
  await client.post("Crew", { schemas: [CREW], people: [{ value: "u1" }, { value: "u2" }], ...rest });
  return { client, looks };
}

const WITH_KIT = { [KIT]: { note: "old", tools: [{ value: "t1" }, { value: "t2" }] } };

describe.each([
  ["that is read", {}],
  ["that is exchanged unread", { heldReferences: 0 }],
])("a required reference collection %s", (_, limits) => {
  test.each<[JsonObject, JsonObject]>([
    [{}, { op: "replace", path: "title", value: "x" }],
    [WITH_KIT, { op: "replace", path: "title", value: "x" }],
    [WITH_KIT, { op: "replace", path: `${KIT}:note`, value: "new" }],
    [WITH_KIT, { op: "remove", path: `${KIT}:note` }],
    [WITH_KIT, { op: "remove", path: 'people[value eq "u1"]' }],
    [WITH_KIT, { op: "remove", path: `${KIT}:tools[value eq "t1"]` }],
    [WITH_KIT, { op: "remove", path: 'people[value eq "nobody"]' }],
    [WITH_KIT, { op: "remove", path: KIT }],
    [WITH_KIT, { op: "replace", path: "people", value: [{ value: "u9" }] }],
    [{}, { op: "add", path: `${KIT}:tools`, value: [{ value: "t1" }] }],
    [{}, { op: "add", value: WITH_KIT }],
  ])("%j lets %j pass: a value is there", async (rest, operation) => {
    const { client } = await crew(rest, limits);
    await client.patch("Crew", "id-1", [operation]);
    expect((await client.resource("Crew", "id-1"))["people"]).not.toHaveLength(0);
  });

  test.each<[JsonObject, readonly JsonObject[], string]>([
    [{}, [{ op: "remove", path: "people" }], "people"],
    [{}, [{ op: "replace", path: "people", value: [] }], "people"],
    [{}, ["u1", "u2"].map((id) => ({ op: "remove", path: `people[value eq "${id}"]` })), "people"],
    [WITH_KIT, [{ op: "remove", path: `${KIT}:tools` }], `${KIT}:tools`],
  ])("%j refuses %j: R7644-3.5.2.2-07 none would be left", async (rest, operations, path) => {
    const { client } = await crew(rest, limits);
    const before = await client.resource("Crew", "id-1");
    const refused = await refusal(client.patch("Crew", "id-1", [...operations]));
    expect(refused.answer).toBe("400 mutability");
    expect(refused.detail).toBe(`Attribute '${path}' is required: replace its value instead of removing it.`);
    expect(await client.resource("Crew", "id-1")).toEqual(before);
  });
});

describe("a required reference collection", () => {
  test("must come with an extension that is added", async () => {
    const { client } = await crew({});
    const operation = { op: "add", path: `${KIT}:note`, value: "without tools" };
    const refused = await refusal(client.patch("Crew", "id-1", [operation]));
    expect(refused.answer).toBe("400 invalidValue");
    expect(refused.detail).toBe(`Attribute '${KIT}:tools' is required: give it a value.`);
  });

  test("may lose all its values where the same PATCH gives it others", async () => {
    const { client } = await crew({});
    const resource = await client.patched("Crew", "id-1", [
      { op: "remove", path: "people" },
      { op: "add", path: "people", value: [{ value: "u9" }] },
    ]);
    expect(resource["people"]).toMatchObject([{ value: "u9" }]);
  });

  test("costs a PATCH that does not name it no look at its values", async () => {
    const { client, looks } = await crew(WITH_KIT);
    await client.patch("Crew", "id-1", [{ op: "replace", path: "title", value: "x" }], { prefer: "minimal" });
    expect(looks).toEqual([]);
  });
});
