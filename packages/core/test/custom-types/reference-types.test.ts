import type { JsonObject, JsonValue, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Desk";

function addDesks(registry: SchemaRegistry): void {
  const refersTo = (name: string, ...referenceTypes: readonly string[]): JsonObject => ({
    name,
    type: "reference",
    referenceTypes,
  });
  const linked = (name: string, multiValued: boolean, ...types: readonly string[]): JsonObject => ({
    name,
    type: "complex",
    multiValued,
    subAttributes: [{ name: "value", type: "string" }, refersTo("$ref", ...types)],
  });
  registry.addSchema({
    id: URN,
    attributes: [
      refersTo("owner", "User"),
      refersTo("either", "User", "Desk"),
      refersTo("any", "User", "external"),
      refersTo("page", "external"),
      { name: "box", type: "complex", subAttributes: [refersTo("to", "Desk"), refersTo("$ref", "Desk")] },
      linked("lead", false, "User"),
      linked("users", true, "User", "Desk"),
      linked("desks", true, "Desk"),
    ],
  });
  registry.addResourceType({ name: "Desk", endpoint: "/Desks", schema: URN });
}

const desk = (values: JsonObject): JsonObject => ({ schemas: [URN], ...values });

describe("R7643-2.3.7-01, R7643-7-08 a reference names a resource of its referenceTypes", () => {
  test.each<readonly [string, JsonObject]>([
    ["an absolute address", { owner: `${BASE_URL}/Users/1` }],
    [
      "R7643-2.4-05 an address of another version, or of another service",
      { owner: "https://other.example/v1/Users/1" },
    ],
    ["an address relative to the base URL", { owner: "Users/1" }],
    ["an address relative to the resource", { owner: "../Users/1" }],
    ["another letter case of the endpoint", { owner: "/users/1" }],
    ["an address that names no endpoint", { owner: "https://other.example/people/1" }],
    ["one of several types", { either: "Desks/1" }],
    ["R7643-2.3.7-04 a resource that does not exist", { owner: "Users/nobody" }],
    ["anything, where external is allowed", { any: "Groups/1", page: "mailto:desk@x.example" }],
    ["in a complex value", { box: { to: "Desks/1", $ref: "Desks/2" } }],
  ])("%s", async (_name, values) => {
    const client = testService(addDesks).as("strict");
    const { resource } = await client.post("Desk", desk(values));
    expect(ownValues(resource)).toEqual(values);
  });

  test.each<readonly [string, JsonObject, string, string]>([
    ["another type", { owner: "Groups/1" }, "owner", "must refer to a resource of: User"],
    [
      "another type, absolute",
      { owner: `${BASE_URL}/Desks/1` },
      "owner",
      "must refer to a resource of: User",
    ],
    ["another of several", { either: "/groups/1" }, "either", "must refer to a resource of: User, Desk"],
    ["no URI", { owner: "Babs Jensen" }, "owner", "must be a URI"],
    ["in a complex value", { box: { to: "Users/1" } }, "box.to", "must refer to a resource of: Desk"],
    ["a $ref without value", { box: { $ref: "Users/1" } }, "box.$ref", "must refer to a resource of: Desk"],
    [
      "beside a value",
      { lead: { value: "1", $ref: "Desks/1" } },
      "lead.$ref",
      "must refer to a resource of: User",
    ],
    [
      "in a list of references",
      { users: [{ value: "1" }, { value: "2", $ref: "../Groups/2" }] },
      "users[1].$ref",
      "must refer to a resource of: User, Desk",
    ],
  ])("%s is refused", async (_name, values, path, words) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const client = testService(addDesks).as(profile);
      const refused = await refusal(client.post("Desk", desk(values)));
      expect(refused).toMatchObject({
        answer: "400 invalidValue",
        detail: expect.stringContaining(`Attribute '${path}' ${words}`),
      });
      expect(refused.detail).not.toContain("Babs");
    }
  });

  test.each<readonly [string, JsonValue]>([
    ["owner", "Groups/1"],
    ["box.to", "Users/1"],
    ["lead", { value: "1", $ref: "Desks/1" }],
    ["users", [{ value: "2", $ref: "Groups/2" }]],
  ])("in a PATCH of %s too", async (path, value) => {
    const client = testService(addDesks).as("strict");
    await client.post("Desk", desk({}));
    expect((await refusal(client.patch("Desk", "id-1", [{ op: "add", path, value }]))).answer).toBe(
      "400 invalidValue",
    );
  });
});

test("R7643-3.1-02 ids that a schema does not call case exact are so in filters and paths, whatever else is asked", async () => {
  const client = testService(addDesks).as("strict");
  const values = { lead: { value: "u1" }, users: [{ value: "u1" }] };
  const id = idOf(await client.post("Desk", desk(values)));
  for (const path of ["lead.value", "users.value", "users"]) {
    expect(await client.matches("Desk", `${path} eq "u1"`)).toEqual([id]);
    expect(await client.matches("Desk", `${path} eq "U1"`)).toEqual([]);
  }
  const removals = ['users[value eq "U1"]', 'users[value sw "x"]'].map((path) => ({ op: "remove", path }));
  for (const operations of [removals.slice(0, 1), removals])
    expect((await client.patched("Desk", id, operations))["users"]).toHaveLength(1);
});

describe("R7643-2.4-02 a type names one of the referenceTypes, also where it is set on its own", () => {
  const typed = (name: string, multiValued: boolean): JsonObject => ({
    name,
    type: "complex",
    multiValued,
    subAttributes: [
      { name: "value", type: "string" },
      { name: "$ref", type: "reference", referenceTypes: ["User", "Desk"] },
      { name: "type", type: "string" },
    ],
  });
  const addShelves = (registry: SchemaRegistry): void => {
    addDesks(registry);
    registry.addSchema({ id: "urn:example:Shelf", attributes: [typed("one", false), typed("many", true)] });
    registry.addResourceType({ name: "Shelf", endpoint: "/Shelves", schema: "urn:example:Shelf" });
  };

  test.each(["one.type", 'many[value eq "1"].type', 'many[value eq "2"].type'])("%s", async (path) => {
    for (const profile of ["strict", "tolerant"] as const) {
      const client = testService(addShelves).as(profile);
      const values = { one: { value: "1" }, many: [{ value: "1" }] };
      await client.post("Shelf", { schemas: ["urn:example:Shelf"], ...values });
      for (const value of ["Group", ""]) {
        const refused = await refusal(client.patch("Shelf", "id-1", [{ op: "add", path, value }]));
        expect([refused.answer, refused.detail]).toEqual([
          "400 invalidValue",
          expect.stringContaining("must be one of: User, Desk."),
        ]);
      }
      const patched = await client.patched("Shelf", "id-1", [{ op: "add", path, value: "desk" }]);
      expect(JSON.stringify(patched)).toContain('"type":"Desk"');
    }
  });
});

test("R7643-2.3.7-03 the addresses that the service gives lead to the resources", async () => {
  const client = testService(addDesks).as("strict");
  const { resource: lead } = await client.post("Desk", desk({}));
  const { resource } = await client.post("Desk", desk({ desks: [{ value: "id-1", $ref: "../Desks/id-1" }] }));
  const address = `${BASE_URL}/Desks/id-1`;
  expect(resource["desks"]).toEqual([{ value: "id-1", $ref: address }]);
  expect(lead["meta"]).toMatchObject({ location: address });
});
