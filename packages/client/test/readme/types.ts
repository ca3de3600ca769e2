import { createScimClient, defineResourceType } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import {
  createDefaultRegistry,
  defineSchema,
  ENTERPRISE_USER_SCHEMA,
  USER_RESOURCE_TYPE,
  USER_SCHEMA,
} from "@scim/schemas";
import { aService, TOKEN } from "../support/service.ts";

const DEVICE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  attributes: [{ name: "serial", type: "string", required: true }],
});
const BADGE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:Badge",
  attributes: [{ name: "color", type: "string" }],
});
const registry = createDefaultRegistry();
registry.addSchema(BADGE_SCHEMA);
registry.addResourceType({
  ...USER_RESOURCE_TYPE,
  schemaExtensions: [...USER_RESOURCE_TYPE.schemaExtensions, { schema: BADGE_SCHEMA.id, required: false }],
});
registry.addSchema(DEVICE_SCHEMA);
registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA.id });
const transport = createInProcessTransport(aService({ registry }));
const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });

const DEVICE = defineResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA }); // defineSchema of @scim/schemas
const device = await client.resource(DEVICE).create({ serial: "4711" }); // typed

const extensions = [ENTERPRISE_USER_SCHEMA, BADGE_SCHEMA] as const; // the first, and USER_SCHEMA, of @scim/schemas
const EMPLOYEE = defineResourceType({ name: "User", endpoint: "/Users", schema: USER_SCHEMA, extensions });
const employees = client.resource(EMPLOYEE);
const employee = await employees.create({ userName: "ada", [BADGE_SCHEMA.id]: { color: "red" } });
await employees.patch(employee, (p) => p.replace(`${BADGE_SCHEMA.id}:color`, "blue"));

const types = await client.discovery.resourceTypes(); // what the service has, by its own account

const { [BADGE_SCHEMA.id]: badge } = await employees.get(employee.id);

export const found = [device.serial, types.length, badge?.color];
