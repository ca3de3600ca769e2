/**
 * The tools that tell of the service itself: its schemas, and what it can do.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { isSameUrn, type JsonObject, type SchemaDefinition } from "@scim/schemas";
import { textOf } from "../parameters.ts";
import { scimToolError } from "../tool-error.ts";
import { gives, READS, takes, type Tool } from "../tool.ts";
import { TENANT_ID } from "./tool-parameters.ts";

/** What the tools know of how they were set up. */
export interface ServiceFacts {
  /** The tenant of the token; null where it is not known. */
  readonly tenant: string | null;
  readonly readOnly: boolean;
  readonly hidesValues: boolean;
  /** The tools that the caller has. */
  readonly tools: readonly string[];
}

/** Makes the tools. */
export function serviceTools(types: readonly ClientResourceType[], facts: ServiceFacts): readonly Tool[] {
  return [schemasTool(), infoTool(types, facts)];
}

function schemasTool(): Tool {
  return {
    name: "scim_get_schemas",
    title: "Read the schemas",
    description:
      "Tells the schemas of the service: each attribute with its type, whether it is required, and whether it can be written. With 'schema_id' that one alone.",
    inputSchema: takes({
      "schema_id?": { type: "string", minLength: 1, description: "URN of a schema." },
      "tenant_id?": TENANT_ID,
    }),
    outputSchema: gives({
      totalResults: { type: "integer" },
      Resources: { type: "array", items: { type: "object" } },
    }),
    annotations: READS,
    right: { verb: "read", type: null },
    run: async ({ client, params, signal }) => {
      const all = await client.discovery.schemas({ signal });
      const wanted = textOf(params, "schema_id");
      const found = wanted === undefined ? all : all.filter(({ id }) => isSameUrn(id, wanted));
      if (found.length === 0 && wanted !== undefined) {
        const there = all.map(({ id }) => id).join(", ");
        throw scimToolError("refused", "notFound", `There is no such schema. There are: ${there}.`);
      }
      return { totalResults: found.length, Resources: found.map(asJson) };
    },
  };
}

function infoTool(types: readonly ClientResourceType[], facts: ServiceFacts): Tool {
  return {
    name: "scim_server_info",
    title: "What the service can do",
    description:
      "Tells what the service can do (filters, sorting, versions, cursors, dry runs), its limits and resource types, whose tenant the token is for, and which tools it opens.",
    inputSchema: takes({ "tenant_id?": TENANT_ID }),
    outputSchema: gives({
      tenant: { anyOf: [{ type: "string" }, { type: "null" }] },
      baseUrl: { type: "string" },
      capabilities: { type: "object" },
      serviceProviderConfig: { type: "object" },
      resourceTypes: { type: "array", items: { type: "object" } },
      tools: { type: "array", items: { type: "string" } },
      readOnly: { type: "boolean" },
      hidesPersonalValues: { type: "boolean" },
    }),
    annotations: READS,
    right: { verb: "read", type: null },
    run: async ({ client, signal }) => {
      const [capabilities, extension, serviceProviderConfig] = await Promise.all([
        client.discovery.capabilities({ signal }),
        client.discovery.configExtension({ signal }),
        client.discovery.serviceProviderConfig({ signal }),
      ]);
      return {
        tenant: facts.tenant,
        baseUrl: client.baseUrl,
        capabilities: {
          ...capabilities,
          ...extension,
          bulk: capabilities.bulk === null ? null : { ...capabilities.bulk },
        },
        serviceProviderConfig,
        resourceTypes: types.map(({ name, endpoint, schema, extensions }) => ({
          name,
          endpoint,
          schema: schema.id,
          schemaExtensions: extensions.map(({ id }) => id),
        })),
        tools: facts.tools,
        readOnly: facts.readOnly,
        hidesPersonalValues: facts.hidesValues,
      };
    },
  };
}

/** A schema as the service told it. */
export function asJson(schema: SchemaDefinition): JsonObject {
  // It was read as JSON.
  return schema as unknown as JsonObject;
}
