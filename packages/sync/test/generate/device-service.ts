/**
 * A service with a resource type and an extension of its own.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createScimClient, type ScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { createScimService, PROFILES } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createScimHandler } from "@scim/http";
import { createDefaultRegistry } from "@scim/schemas";

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
  const service = createScimService({
    registry,
    store: createMemoryStore(),
    sources: {
      now: () => Date.now(),
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
  });
  const handler = createScimHandler({
    service,
    authenticate: async () => ({
      tenant: "default",
      connection: "default",
      subject: null,
      scopes: new Set(["scim"]),
      profile: PROFILES.tolerant,
    }),
  });
  return createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: "token",
    transport: createInProcessTransport(handler),
  });
}
