import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Seat";
const seat = (boss: JsonObject): JsonObject => ({ schemas: [URN], boss });

/** A Seat whose `boss` refers to a User, with a name beside it. */
async function created(ofValue: JsonObject = {}): Promise<readonly [TestClient, string]> {
  const client = testService((registry) => {
    const subAttributes = [
      { name: "value", type: "string", ...ofValue },
      { name: "$ref", type: "reference", referenceTypes: ["User"] },
      { name: "display", type: "string" },
      { name: "note", type: "string" },
    ];
    registry.addDocuments([
      {
        source: "seat",
        document: { id: URN, attributes: [{ name: "boss", type: "complex", subAttributes }] },
      },
      { source: "type", document: { name: "Seat", endpoint: "/Seats", schema: URN } },
    ]);
  }).as("strict");
  return [client, idOf(await client.post("Seat", seat({ value: "a", display: "A" })))];
}

describe("R7644-3.5.2-22 a reference whose value is immutable", () => {
  test.each([
    { op: "add", path: "boss", value: { value: "b" } },
    { op: "replace", path: "boss", value: { value: "b" } },
    { op: "replace", path: "boss.value", value: "b" },
    { op: "replace", path: "boss.$ref", value: "../Users/b" },
    { op: "replace", value: { boss: { value: "b" } } },
    { op: "remove", path: "boss.value" },
    { op: "replace", path: "boss", value: { value: null } },
  ])("is not turned to another resource: %j", async (operation) => {
    const [client, id] = await created({ mutability: "immutable" });
    const before = await client.resource("Seat", id);
    const refused = await refusal(client.patch("Seat", id, [operation]));
    expect(refused.answer).toBe("400 mutability");
    expect(refused.detail).toContain("'boss.value' is immutable");
    expect(await client.resource("Seat", id)).toEqual(before);
  });

  test("takes the value that it has again", async () => {
    const [client, id] = await created({ mutability: "immutable" });
    const value = { value: "a", display: "B" };
    const patched = await client.patched("Seat", id, [{ op: "replace", path: "boss", value }]);
    expect(patched["boss"]).toMatchObject(value);
  });
});

describe("what stands beside the value of a reference goes with it, unless it is sent along", () => {
  test.each<readonly [JsonObject, JsonValue | undefined]>([
    [{ op: "remove", path: "boss.value" }, undefined],
    [{ op: "replace", path: "boss.value", value: null }, undefined],
    [{ op: "replace", path: "boss.value", value: "" }, undefined],
    [{ op: "replace", path: "boss", value: { value: null } }, undefined],
    [{ op: "replace", path: "boss", value: { value: "", note: "vacant" } }, { note: "vacant" }],
    [{ op: "replace", path: "boss", value: { value: null, display: "A" } }, { display: "A" }],
  ])("%j", async (operation, boss) => {
    const [client, id] = await created();
    expect((await client.patched("Seat", id, [operation]))["boss"]).toEqual(boss);
  });

  test("without a value to begin with, the rest stays", async () => {
    const [client] = await created();
    const id = idOf(await client.post("Seat", seat({ display: "A", note: "n" })));
    const operations = [
      { op: "remove", path: "boss.value" },
      { op: "remove", path: "boss.note" },
    ];
    expect((await client.patched("Seat", id, operations))["boss"]).toEqual({ display: "A" });
  });
});
