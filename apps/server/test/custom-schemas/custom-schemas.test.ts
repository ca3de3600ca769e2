import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SchemaDefinition } from "@scim/schemas";
import { clientOf, ENTERPRISE, USER, type Client } from "../over-http/client.ts";
import { schemaDocument, userExtendedBy, writeDocuments, type Documents } from "../over-http/documents.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { startServer } from "../over-http/server.ts";

const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:User";
const DEVICE = "urn:example:params:scim:schemas:acme:1.0:Device";
/** Not every vendor takes a URN. */
const WARRANTY = "https://schemas.acme.example/Warranty?version=1.2";

const badge: SchemaDefinition = {
  id: BADGE,
  name: "Badge",
  attributes: [
    { name: "colour", type: "string" },
    { name: "floor", type: "integer" },
    {
      name: "doors",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string" },
        { name: "since", type: "dateTime" },
      ],
    },
  ],
};

const device: SchemaDefinition = {
  id: DEVICE,
  name: "Device",
  attributes: [
    { name: "serial", type: "string", required: true, caseExact: true, uniqueness: "server" },
    { name: "model", type: "string", mutability: "immutable" },
    { name: "weight", type: "decimal" },
    {
      name: "owners",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string", required: true },
        { name: "$ref", type: "reference", referenceTypes: ["User"] },
      ],
    },
  ],
};

const warranty: SchemaDefinition = {
  id: WARRANTY,
  name: "Warranty",
  attributes: [{ name: "ends", type: "dateTime" }],
};

const deviceType = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  id: "Device",
  name: "Device",
  endpoint: "/Devices",
  description: "Machines.",
  schema: DEVICE,
  schemaExtensions: [{ schema: WARRANTY, required: false }],
};

let server: OwnServer;
let documents: Documents;
let client: Client;

beforeAll(async () => {
  documents = await writeDocuments([
    ...userExtendedBy([badge]),
    schemaDocument(device),
    schemaDocument(warranty),
    deviceType,
  ]);
  server = await startOwnServer({ SCIM_SCHEMAS: documents.directory });
  client = clientOf(server);
});
afterAll(async () => {
  await server.stop();
  await documents.remove();
});

const find = (endpoint: string, filter: string) =>
  client.call("GET", `${endpoint}?filter=${encodeURIComponent(filter)}`);

describe("an extension of User from a document", () => {
  test("is stored, found by filter, changed by a URN path, and dropped when empty", async () => {
    const user = await client.user({
      schemas: [USER, BADGE],
      userName: "wearer",
      [BADGE]: { colour: "Red", floor: 3, doors: [{ value: "north", since: "2026-01-01T08:00:00Z" }] },
    });
    expect(user.body["schemas"]).toEqual([USER, BADGE]);

    for (const filter of [
      `${BADGE}:colour eq "red"`,
      `${BADGE}:floor gt 2 and userName eq "wearer"`,
      `${BADGE}:doors[value eq "north" and since lt "2026-01-01T10:00:00+01:00"]`,
    ]) {
      const { body } = await find("/Users", filter);
      expect(resourcesOf(body).map(({ id }) => id)).toEqual([user.id]);
    }
    const { body: others } = await find("/Users", `${BADGE}:floor lt 3`);
    expect(others["totalResults"]).toBe(0);

    const patched = await client.patch(user.path, [
      { op: "replace", path: `${BADGE}:colour`, value: "Blue" },
      { op: "remove", path: `${BADGE}:doors[value eq "north"]` },
    ]);
    expect(patched.status).toBe(200);
    expect(patched.body[BADGE]).toEqual({ colour: "Blue", floor: 3 });

    const emptied = await client.patch(user.path, [{ op: "remove", path: BADGE }]);
    expect(emptied.status).toBe(200);
    expect(emptied.body["schemas"]).toEqual([USER]);
    expect(emptied.body).not.toHaveProperty([BADGE]);
  });

  test("is checked against its types", async () => {
    const answer = await client.call("POST", "/Users", {
      body: { schemas: [USER, BADGE], userName: "wrong", [BADGE]: { floor: "third" } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body["detail"]).toContain(`${BADGE}:floor`);
  });

  test("stands beside the enterprise extension in discovery", async () => {
    const { body } = await client.call("GET", "/ResourceTypes/User");
    expect(body["schemaExtensions"]).toEqual([
      { schema: ENTERPRISE, required: false },
      { schema: BADGE, required: false },
    ]);
    const schema = await client.call("GET", `/Schemas/${BADGE}`);
    expect(schema.body).toMatchObject({ id: BADGE, name: "Badge" });
  });
});

describe("a resource type from a document", () => {
  const laptop = { schemas: [DEVICE], serial: "SN-1", model: "X", weight: 1.25, owners: [{ value: "u-1" }] };

  test("has every operation at its endpoint", async () => {
    const made = await client.call("POST", "/Devices", { body: laptop });
    expect(made.status).toBe(201);
    expect(made.headers.location).toBe(`${server.origin}${server.base}/Devices/${String(made.body["id"])}`);
    expect(made.body).toMatchObject({
      serial: "SN-1",
      meta: { resourceType: "Device" },
      owners: [{ value: "u-1" }],
    });
    const path = `/Devices/${String(made.body["id"])}`;

    expect((await client.call("GET", path)).body).toEqual(made.body);
    const { body: found } = await find("/Devices", 'serial eq "SN-1" and owners[value eq "u-1"]');
    expect(found["totalResults"]).toBe(1);
    const patched = await client.patch(path, [
      { op: "add", path: "owners", value: [{ value: "u-2" }] },
      { op: "add", path: `${WARRANTY}:ends`, value: "2030-01-01T00:00:00Z" },
    ]);
    expect(patched.body).toMatchObject({
      schemas: [DEVICE, WARRANTY],
      owners: [{ value: "u-1" }, { value: "u-2" }],
      [WARRANTY]: { ends: "2030-01-01T00:00:00Z" },
    });
    const put = await client.call("PUT", path, { body: { schemas: [DEVICE], serial: "SN-1b", model: "X" } });
    expect(put.status).toBe(200);
    expect(put.body).not.toHaveProperty("owners");
    expect((await client.call("DELETE", path)).status).toBe(204);
    expect((await client.call("GET", path)).status).toBe(404);
  });

  test("keeps the rules of its schema", async () => {
    const body = { ...laptop, serial: "SN-2" };
    const made = await client.call("POST", "/Devices", { body });
    expect((await client.call("POST", "/Devices", { body })).body).toMatchObject({
      status: "409",
      scimType: "uniqueness",
    });
    const otherCase = await client.call("POST", "/Devices", { body: { ...body, serial: "sn-2" } });
    expect(otherCase.status).toBe(201);
    const immutable = await client.patch(`/Devices/${String(made.body["id"])}`, [
      { op: "replace", path: "model", value: "Y" },
    ]);
    expect(immutable.body).toMatchObject({ status: "400", scimType: "mutability" });
    const missing = await client.call("POST", "/Devices", { body: { schemas: [DEVICE] } });
    expect(missing.body).toMatchObject({ status: "400", scimType: "invalidValue" });
    expect(missing.body["detail"]).toContain("serial");
  });

  test("stands in discovery", async () => {
    const { body } = await client.call("GET", "/ResourceTypes");
    expect(resourcesOf(body).map(({ name }) => name)).toEqual(["User", "Group", "Device"]);
    expect((await client.call("GET", `/Schemas/${DEVICE}`)).status).toBe(200);
  });

  test("R7643-3.1-08 every location in discovery leads to what it is of", async () => {
    const [types, schemas] = [
      await client.call("GET", "/ResourceTypes"),
      await client.call("GET", "/Schemas"),
    ];
    const listed = [...resourcesOf(types.body), ...resourcesOf(schemas.body)];
    expect(listed.map(({ id }) => id)).toContain(WARRANTY);
    for (const resource of listed) {
      const location = String(new Map(Object.entries(resource["meta"] ?? {})).get("location"));
      const { body, headers } = await client.call("GET", location.slice(`${server.origin}/scim/v2`.length));
      expect([body, headers.location]).toEqual([resource, location]);
    }
  });
});

test("a document that is wrong stops the start, with file and path in the message", async () => {
  const broken = await writeDocuments([
    { ...schemaDocument(device), attributes: [{ name: "serial", type: "strnig" }] },
  ]);
  const start = startServer({ SCIM_SCHEMAS: broken.directory });
  await expect(start).rejects.toThrow(/0\.json[\s\S]*attributes\[0\]\.type/);
  await broken.remove();
});
