/**
 * A service with a resource type and an extension of its own.
 * @module
 */
import { createScimClient, type ScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { createDefaultRegistry } from "@scim/schemas";
import { aService, TOKEN } from "../../../client/test/support/service.ts";

/** A client of a new service. */
export function deviceService(): ScimClient {
  const registry = createDefaultRegistry();
  registry.addSchema({
    id: "urn:example:params:scim:schemas:acme:1.0:Device",
    name: "Device",
    description: "A machine that somebody carries about.",
    attributes: [
      {
        name: "serial",
        type: "string",
        required: true,
        uniqueness: "server",
        description: "As on its back.",
      },
      { name: "weight", type: "decimal" },
      { name: "pin", type: "string", mutability: "writeOnly", returned: "never" },
      { name: "seenAt", type: "dateTime", mutability: "readOnly" },
      {
        name: "owners",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "primary", type: "boolean" },
        ],
      },
    ],
  });
  registry.addSchema({
    id: "urn:example:params:scim:schemas:extension:acme:1.0:Device",
    name: "DeviceRadio",
    attributes: [{ name: "channel", type: "integer" }],
  });
  registry.addResourceType({
    name: "Device",
    endpoint: "/Devices",
    schema: "urn:example:params:scim:schemas:acme:1.0:Device",
    schemaExtensions: [
      { schema: "urn:example:params:scim:schemas:extension:acme:1.0:Device", required: false },
    ],
  });
  return createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: TOKEN,
    transport: createInProcessTransport(aService({ registry })),
  });
}
