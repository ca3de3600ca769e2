/**
 * A Fastify application that serves SCIM beside its own routes, with a resource type written in code.
 * @module
 */
import { deepEqual, equal } from "node:assert/strict";
import { hash, randomBytes, randomUUID } from "node:crypto";
import { createScimService, PROFILES, type Authenticator } from "@scim/core";
import { scimPlugin } from "@scim/fastify";
import { createScimHandler } from "@scim/http";
import { createDefaultRegistry, defineSchema, type InputOf, type ResourceOf } from "@scim/schemas";
import { openSqliteStore } from "@scim/store/sqlite";
import Fastify from "fastify";

const VEHICLE = "urn:example:params:scim:schemas:acme:1.0:Vehicle";

const vehicle = defineSchema({
  id: VEHICLE,
  name: "Vehicle",
  attributes: [
    { name: "plate", type: "string", required: true, uniqueness: "server" },
    { name: "seats", type: "integer" },
    {
      name: "drivers",
      type: "complex",
      multiValued: true,
      subAttributes: [
        { name: "value", type: "string", required: true, caseExact: true },
        { name: "$ref", type: "reference", referenceTypes: ["User"] },
      ],
    },
  ],
});

const registry = createDefaultRegistry();
registry.addSchema(vehicle);
registry.addResourceType({
  name: "Vehicle",
  endpoint: "/Vehicles",
  schema: VEHICLE,
  annotations: { plate: { maxLength: 12 }, seats: { minimum: 1, default: 5 } },
});

const store = await openSqliteStore({ path: ":memory:" });
const service = createScimService({
  registry,
  store: store.resources,
  sources: {
    now: () => Date.now(),
    newId: () => randomUUID(),
    newNonce: () => randomBytes(5).toString("base64url"),
    digest: (text) => hash("sha256", text, "base64url"),
  },
});

/** The application knows its callers already: a token of its own is enough here. */
const TOKEN = randomBytes(32).toString("base64url");
const authenticate: Authenticator = async (token) =>
  token === TOKEN
    ? {
        tenant: "default",
        connection: "default",
        subject: null,
        scopes: new Set(["scim"]),
        profile: PROFILES.tolerant,
      }
    : null;

const app = Fastify({ http: { maxHeaderSize: 65_536 } });
app.get("/hello", async () => ({ hello: "world" }));
await app.register(scimPlugin, {
  prefix: "/scim/v2",
  handler: createScimHandler({ service, authenticate }),
});

async function inject(method: "GET" | "POST" | "DELETE", url: string, payload?: object) {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/scim+json" };
  return app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

try {
  const input: InputOf<typeof vehicle> = { schemas: [VEHICLE], plate: "AB-12", drivers: [{ value: "u1" }] };
  const created = await inject("POST", "/scim/v2/Vehicles", input);
  equal(created.statusCode, 201, created.body);
  const resource = created.json<ResourceOf<typeof vehicle>>();
  deepEqual([resource.plate, resource.seats, resource.drivers?.[0]?.value], ["AB-12", 5, "u1"]);

  const found = await inject("GET", `/scim/v2/Vehicles?filter=${encodeURIComponent('plate eq "ab-12"')}`);
  equal(found.json<{ readonly totalResults: number }>().totalResults, 1);
  equal((await inject("POST", "/scim/v2/Vehicles", input)).statusCode, 409);
  equal((await inject("DELETE", `/scim/v2/Vehicles/${resource.id}`)).statusCode, 204);

  equal((await app.inject("/hello")).statusCode, 200);
  equal((await app.inject("/scim/v2/Vehicles")).statusCode, 401);
  console.log("embedded: served beside the application's own routes");
} finally {
  await app.close();
  await store.close();
}
