import { createScimClient, defineResourceType } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { createDefaultRegistry, defineSchema } from "@scim/schemas";
import { aService, TOKEN } from "../support/service.ts";

const DEVICE_SCHEMA = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  attributes: [{ name: "serial", type: "string", required: true }],
});
const registry = createDefaultRegistry();
registry.addSchema(DEVICE_SCHEMA);
registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA.id });
const transport = createInProcessTransport(aService({ registry }));
const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });

const DEVICE = defineResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE_SCHEMA }); // defineSchema of @scim/schemas
const device = await client.resource(DEVICE).create({ serial: "4711" }); // typed

const types = await client.discovery.resourceTypes(); // what the service has, by its own account

export const found = [device.serial, types.length];
