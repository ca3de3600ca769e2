/**
 * The tools as a server of the Model Context Protocol.
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type Resource,
  type Tool as McpTool,
} from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { ScimTools } from "../scim-tools.ts";
import { ToolError } from "../tool-error.ts";
import type { OutputSchema, ToolDescription } from "../tool.ts";
import { pageOf } from "./list-pages.ts";
import type { McpServerOptions } from "./options.ts";

const INSTRUCTIONS = `Tools for the users, groups and other resources of a SCIM 2.0 service.
Begin with scim_server_info, and scim_get_schemas for the attributes of a type.
Every resource has a version, 'meta.version'. Give the one that you read as 'expected_version' when you change or delete: if somebody else has changed the resource meanwhile, nothing is done, and the error tells the current version. Then read again, and decide anew.
To change single attributes use the patch tools; the update tools replace the whole resource.
Where the service offers dry runs, 'dry_run: true' tells what a change would come to.`;

/** Makes a server; connect it to a transport. One serves one connection. */
export function createMcpServer(tools: ScimTools, options: McpServerOptions = {}): McpServer {
  const { version = "unknown", listChanges = false } = options;
  const mcp = new McpServer(
    { name: "scim", title: "SCIM", version },
    { instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  const { server } = mcp;
  // The constructor would add that lists are told when they change.
  server.registerCapabilities({ tools: listChanges ? { listChanged: true } : {}, resources: {} });
  // Of the list that the client has seen: who has seen none is told of no change.
  let seen: number | null = null;
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const all = await protocolErrors(tools.list());
    seen = all.length;
    const { entries, ...more } = pageOf(all, ({ name }) => name, params?.cursor);
    return { tools: entries.map(toolOf), ...more };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const result = await called(tools, { name: params.name, given: params.arguments, signal });
    if (listChanges && seen !== null) {
      const { length } = await protocolErrors(tools.list());
      if (length !== seen) await server.sendToolListChanged();
      seen = length;
    }
    return result;
  });
  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }, { signal }) => {
    const all = await protocolErrors(tools.schemas({ signal }));
    const { entries, ...more } = pageOf(all, ({ id }) => textOf(id), params?.cursor);
    return { resources: entries.map(resourceOf), ...more };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, { signal }) => {
    const schemas = await protocolErrors(tools.schemas({ signal }));
    const schema = schemas.find(({ id }) => textOf(id).toLowerCase() === uri.toLowerCase());
    if (schema === undefined) throw new McpError(RESOURCE_NOT_FOUND, "There is no such schema.", { uri });
    return { contents: [{ uri, mimeType: MEDIA_TYPE, text: JSON.stringify(schema) }] };
  });
  return mcp;
}

/** The SDK would make one for each connection. It is for forms that a server asks a client to fill in; this one asks none. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "Nothing is asked for." }),
};

const MEDIA_TYPE = "application/scim+json";
/** The code that the protocol gives to a resource that is not there. */
const RESOURCE_NOT_FOUND = -32_002;

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function resourceOf(schema: JsonObject): Resource {
  return {
    uri: textOf(schema["id"]),
    name: textOf(schema["name"]) || textOf(schema["id"]),
    description: textOf(schema["description"]),
    mimeType: MEDIA_TYPE,
  };
}

function toolOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ToolDescription): McpTool {
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchema, required: [...inputSchema.required] },
    outputSchema: toldSchema(outputSchema),
    annotations: { ...annotations, title },
  };
}

/**
 * What a tool gives, or what went wrong: the client of the SDK holds errors against the schema of results too, and keeps from
 * the model what does not fit.
 */
function toldSchema({ properties, required = [] }: OutputSchema): NonNullable<McpTool["outputSchema"]> {
  return {
    type: "object",
    properties: { ...properties, error: { type: "object" } },
    ...(required.length === 0 ? {} : { anyOf: [{ required: [...required] }, { required: ["error"] }] }),
  };
}

interface Called {
  readonly name: string;
  readonly given: unknown;
  readonly signal: AbortSignal;
}

/**
 * What the service refused is a result that the model reads, and so is what is wrong with parameters, which the model can
 * mend; a tool that is none is an error of the protocol, which many programs keep from the model.
 * @throws McpError
 */
async function called(tools: ScimTools, { name, given, signal }: Called): Promise<CallToolResult> {
  const params = given ?? {};
  if (!isObject(params)) throw new McpError(ErrorCode.InvalidParams, "The arguments are an object.");
  try {
    const result = await tools.call(name, params, { signal });
    return { content: textContent(result), structuredContent: { ...result } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (error.code !== "refused" && error.code !== "invalidParams") throw protocolError(error);
    const told = { error: { ...error.data } };
    return { content: textContent(told), structuredContent: told, isError: true };
  }
}

function isObject(value: unknown): value is JsonObject {
  // It came as JSON.
  return isJsonObject(value as JsonValue);
}

function textContent(value: JsonObject): CallToolResult["content"] {
  return [{ type: "text", text: JSON.stringify(value) }];
}

async function protocolErrors<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ToolError ? protocolError(error) : error;
  }
}

/** The protocol answers an unknown tool as it does parameters that are none. */
function protocolError(error: ToolError): McpError {
  const code = error.code === "methodNotFound" ? ErrorCode.InvalidParams : error.number;
  return new McpError(code, error.message, error.data);
}
