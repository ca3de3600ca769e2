import {
  createDefaultRegistry,
  SchemaDocumentError,
  type SchemaRegistry,
  USER_RESOURCE_TYPE,
  USER_SCHEMA,
  USER_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createModelCatalog } from "../../src/index.ts";
import { ownValues, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";

const DEVICE = "urn:example:params:scim:schemas:acme:1.0:Device";
const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:User";
const serial = { name: "serial", type: "string" };
const deviceType = { name: "Device", endpoint: "/Devices", schema: DEVICE };

/** A service that has answered requests, so that whatever it keeps is there. */
async function running(): Promise<TestService & { readonly client: TestClient }> {
  const tested = testService();
  const client = tested.as("strict");
  await client.post("User", user());
  await client.list("User", { filter: "userName pr" });
  return { ...tested, client };
}

const device = (values: JsonObject = {}): JsonObject => ({ schemas: [DEVICE], ...values });

function urnsOf(tested: TestService): readonly (JsonValue | undefined)[] {
  return tested.service.schemas(tested.context()).resources.map((schema) => schema["id"]);
}

describe("what is added to the registry of a running service is served at once", () => {
  test("R7643-3.2-01 a resource type: discovery, validation, filters, PATCH", async () => {
    const tested = await running();
    const { client, registry } = tested;
    expect((await refusal(client.list("Device"))).answer).toBe("404");
    registry.addDocuments([
      { source: "type", document: deviceType },
      { source: "schema", document: { id: DEVICE, attributes: [{ ...serial, required: true }] } },
    ]);
    const context = tested.context();
    expect(urnsOf(tested)).toContain(DEVICE);
    expect(tested.service.resourceType(context, "Device", PLAIN.precondition)).toMatchObject({
      resource: { endpoint: "/Devices" },
    });
    expect(tested.service.types(context).map(({ endpoint }) => endpoint)).toContain("/Devices");
    expect((await refusal(client.post("Device", device()))).detail).toContain("'serial' is required");
    const { resource } = await client.post("Device", device({ serial: "A1" }));
    expect(await client.matches("Device", 'serial eq "a1"')).toEqual([resource["id"]]);
    const patched = await client.patched("Device", String(resource["id"]), [
      { op: "replace", path: "serial", value: "B2" },
    ]);
    expect(ownValues(patched)).toEqual({ serial: "B2" });
  });

  test("an attribute: resources that are there may have it, bodies are checked for it", async () => {
    const { client, registry } = await running();
    registry.addSchema({ id: DEVICE, attributes: [serial] });
    registry.addResourceType(deviceType);
    const { resource } = await client.post("Device", device({ serial: "A1" }));
    const id = String(resource["id"]);
    expect((await refusal(client.post("Device", device({ weight: 2 })))).answer).toBe("400 invalidSyntax");
    registry.addSchema({ id: DEVICE, attributes: [serial, { name: "weight", type: "decimal" }] });
    expect(await client.resource("Device", id)).toEqual(resource);
    expect((await refusal(client.post("Device", device({ weight: "2" })))).answer).toBe("400 invalidValue");
    await client.patch("Device", id, [{ op: "add", path: "weight", value: 2.5 }]);
    expect(await client.matches("Device", "weight gt 2")).toEqual([id]);
    expect(ownValues(await client.resource("Device", id))).toEqual({ serial: "A1", weight: 2.5 });
  });

  test("an attribute of a built-in schema, and an extension of a built-in type", async () => {
    const { client, registry } = await running();
    registry.addSchema({
      ...USER_SCHEMA,
      attributes: [...USER_SCHEMA.attributes, { name: "pet", type: "string" }],
    });
    registry.addSchema({ id: BADGE, attributes: [{ name: "colour", type: "string" }] });
    registry.addResourceType({
      ...USER_RESOURCE_TYPE,
      schemaExtensions: [...USER_RESOURCE_TYPE.schemaExtensions, { schema: BADGE, required: false }],
    });
    const values = { pet: "cat", [BADGE]: { colour: "red" } };
    const { resource } = await client.put("User", "id-1", user(values));
    expect(ownValues(resource)).toEqual({ userName: "bjensen", ...values });
    expect(await client.matches("User", `pet eq "cat" and ${BADGE}:colour eq "red"`)).toEqual(["id-1"]);
  });

  test("the schema resource has another version, so that no 304 hides the change", async () => {
    const { registry, service, context } = await running();
    registry.addSchema({ id: DEVICE, attributes: [serial] });
    const before = service.schema(context(), DEVICE, PLAIN.precondition);
    registry.addSchema({ id: DEVICE, attributes: [{ ...serial, description: "On the back." }] });
    const precondition = { ifMatch: null, ifNoneMatch: [before.version] };
    expect(service.schema(context(), DEVICE, precondition)).toMatchObject({
      kind: "resource",
      resource: { attributes: [{ description: "On the back." }] },
    });
  });

  test("a type that replaces one, with its operations and annotations", async () => {
    const { client, registry, service, context } = await running();
    const narrowed = {
      ...USER_RESOURCE_TYPE,
      operations: ["create", "read"],
      annotations: { ...USER_RESOURCE_TYPE.annotations, title: { maxLength: 3 } },
    };
    expect(() => registry.addResourceType(narrowed)).toThrow(/operations.*\n.*title.*maxLength/u);
    registry.addResourceType(narrowed, { allowBreaking: true });
    expect((await refusal(client.post("User", user({ userName: "b", title: "long" })))).detail).toBe(
      "Attribute 'title' must have at most 3 characters.",
    );
    const type = service.types(context()).find(({ name }) => name === "User");
    expect([...(type?.operations ?? [])]).toEqual(["create", "read"]);
  });

  test("what is refused changes nothing", async () => {
    const tested = await running();
    const before = urnsOf(tested);
    const attributes = [{ name: "userName", type: "integer" }];
    expect(() => tested.registry.addSchema({ id: USER_URN, attributes })).toThrow(SchemaDocumentError);
    expect(() =>
      tested.registry.addDocuments([
        { source: "a", document: { id: DEVICE, attributes: [serial] } },
        { source: "b", document: { ...deviceType, endpoint: "/Users" } },
      ]),
    ).toThrow(SchemaDocumentError);
    expect(urnsOf(tested)).toEqual(before);
    expect((await refusal(tested.client.list("Device"))).answer).toBe("404");
    expect(await tested.client.matches("User", 'userName eq "bjensen"')).toEqual(["id-1"]);
  });
});

test("the models of many types ask a registry once which types there are", () => {
  const registry = createDefaultRegistry();
  registry.addSchema({ id: DEVICE, attributes: [serial] });
  for (let number = 0; number < 100; number += 1)
    registry.addResourceType({ name: `Device${number}`, endpoint: `/Devices${number}`, schema: DEVICE });
  let asked = 0;
  const types = (): ReturnType<SchemaRegistry["resourceTypes"]> => {
    asked += 1;
    return registry.resourceTypes();
  };
  const catalog = createModelCatalog({ ...registry, resourceTypes: types });
  const { endpoints } = catalog.model("Device99");
  expect([endpoints.get("User"), endpoints.get("Device0")]).toEqual(["/Users", "/Devices0"]);
  // Users alone have an attribute that other types fill.
  expect(catalog.models()).toHaveLength(102);
  expect(asked).toBeLessThanOrEqual(3);
});
