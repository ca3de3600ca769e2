/**
 * The tools as methods of JSON-RPC 2.0: the method is the name of the tool, the params are its parameters. Without the
 * Model Context Protocol, whose SDK is not loaded for it.
 * @module
 */
import { isJsonArray, isJsonObject, isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import type { ScimTools, ToolCallOptions } from "./scim-tools.ts";
import { invalidParams, scimToolError, ToolError, toolErrorOf } from "./tool-error.ts";
import type { OutputSchema, ToolDescription, ValueSchema } from "./tool.ts";

/** Requests that one batch may hold at most. */
export const MOST_IN_BATCH = 100;

/** Tells the methods, as an OpenRPC document. */
const DISCOVER = "rpc.discover";

type Id = string | number | null;

/**
 * Reads JSON in UTF-8; throws where it is none. A `ScimError` is told in its own words: `invalidValue` is JSON, and yet
 * cannot be kept as it is, such as a number that a double does not hold.
 */
export type ReadJson = (bytes: Uint8Array) => JsonValue;

/**
 * Reads a message.
 * @param readJson Default `JSON.parse`, which rounds numbers, and keeps the last of members of one name: where what tools
 *   are given must be read as strictly as the body of a SCIM request, `decodeJson` of `@scim/http`
 * @throws ToolError `parseError`; `invalidRequest` where it is a batch that is too long, or holds what cannot be kept
 *
 * @example
 * readRpc(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"scim_server_info"}'));
 */
export function readRpc(bytes: Uint8Array, readJson: ReadJson = parsed): JsonValue {
  const message = jsonOf(bytes, readJson);
  if (isJsonArray(message) && message.length > MOST_IN_BATCH) throw batchTooLong(MOST_IN_BATCH);
  return message;
}

function jsonOf(bytes: Uint8Array, readJson: ReadJson): JsonValue {
  try {
    return readJson(bytes);
  } catch (error) {
    if (!isScimError(error)) throw scimToolError("parseError", "invalidSyntax", "The message is no JSON.");
    throw scimToolError(
      error.code === "invalidValue" ? "invalidRequest" : "parseError",
      error.code,
      error.message,
    );
  }
}

function parsed(bytes: Uint8Array): JsonValue {
  // JSON text is a JSON value.
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
}

/** The error of a batch of more requests than may be sent at once. */
export function batchTooLong(most: number): ToolError {
  const detail = `The batch holds more than ${most} requests; nothing was done. Send it in parts.`;
  return scimToolError("invalidRequest", "payloadTooLarge", detail);
}

/** How many requests a message holds: what a limit of requests counts. */
export function requestsIn(message: JsonValue): number {
  return isJsonArray(message) ? Math.max(1, message.length) : 1;
}

/** An answer that reports an error. */
export function rpcError(error: ToolError, id: Id = null): JsonObject {
  return { jsonrpc: "2.0", id, error: error.toJSON() };
}

/**
 * Answers a message: a request, a notification, or a batch of them, whose requests are done one after another. Null
 * where there is nothing to answer. Never rejects.
 *
 * @example
 * await answerRpc(tools, { jsonrpc: "2.0", id: 1, method: "scim_get_user", params: { user_id: "2819c223" } });
 */
export async function answerRpc(
  tools: ScimTools,
  message: JsonValue,
  options: ToolCallOptions = {},
): Promise<JsonObject | readonly JsonObject[] | null> {
  if (!isJsonArray(message)) return answerOne(tools, message, options);
  if (message.length === 0) return rpcError(invalidRequest("The batch is empty."));
  if (message.length > MOST_IN_BATCH) return rpcError(batchTooLong(MOST_IN_BATCH));
  const answers: JsonObject[] = [];
  for (const each of message) {
    const answer = await answerOne(tools, each, options);
    if (answer !== null) answers.push(answer);
  }
  return answers.length === 0 ? null : answers;
}

async function answerOne(
  tools: ScimTools,
  message: JsonValue,
  options: ToolCallOptions,
): Promise<JsonObject | null> {
  const request = requestOf(message);
  if (request instanceof ToolError) return rpcError(request, rpcIdOf(message) ?? null);
  const { id, method, params } = request;
  const answer = await resultOf(tools, { method, params, options }).then(
    (result): JsonObject => ({ jsonrpc: "2.0", id: id ?? null, result }),
    (error: unknown) => rpcError(toolErrorOf(error), id ?? null),
  );
  // A notification is done, and never answered (JSON-RPC 2.0 §4.1).
  return id === undefined ? null : answer;
}

interface RpcRequest {
  /** Undefined for a notification. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: JsonObject | readonly JsonValue[];
}

function requestOf(message: JsonValue): RpcRequest | ToolError {
  if (!isJsonObject(message)) return invalidRequest("A request is an object.");
  const { jsonrpc, method, params = {} } = message;
  if (jsonrpc !== "2.0") return invalidRequest("The member 'jsonrpc' is \"2.0\".");
  if (typeof method !== "string") return invalidRequest("The member 'method' is the name of a tool.");
  const id = rpcIdOf(message);
  if (id === undefined && Object.hasOwn(message, "id")) {
    return invalidRequest("The member 'id' is a text, a number or null.");
  }
  if (isJsonObject(params) || isJsonArray(params)) return { id, method, params };
  return scimToolError("invalidParams", "invalidSyntax", "The member 'params' is an object or a list.");
}

/** The id of a message; undefined where it has none, or one that is none. */
export function rpcIdOf(message: JsonValue): Id | undefined {
  if (!isJsonObject(message)) return undefined;
  const { id } = message;
  return typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
}

function invalidRequest(detail: string): ToolError {
  return scimToolError("invalidRequest", "invalidSyntax", detail);
}

interface Method extends Pick<RpcRequest, "method" | "params"> {
  readonly options: ToolCallOptions;
}

async function resultOf(tools: ScimTools, { method, params, options }: Method): Promise<JsonObject> {
  if (method === DISCOVER) return openRpcDocument(await tools.list());
  return tools.call(method, isJsonArray(params) ? await named(tools, method, params) : params, options);
}

/** Parameters by position, in the order in which the tool states them. */
async function named(tools: ScimTools, method: string, values: readonly JsonValue[]): Promise<JsonObject> {
  if (values.length === 0) return {};
  const tool = (await tools.list()).find(({ name }) => name === method);
  const names = Object.keys(tool?.inputSchema.properties ?? {});
  if (tool !== undefined && values.length > names.length) {
    throw invalidParams(`There are at most ${names.length} parameters: ${names.join(", ")}.`);
  }
  return Object.fromEntries(
    values.flatMap((value, at) => (names[at] === undefined ? [] : [[names[at], value]])),
  );
}

/** The methods as a document of OpenRPC 1.3. */
function openRpcDocument(tools: readonly ToolDescription[]): JsonObject {
  return {
    openrpc: "1.3.2",
    info: { title: "SCIM tools", version: "1" },
    methods: tools.map(({ name, title, description, inputSchema, outputSchema }) => ({
      name,
      summary: title,
      description,
      paramStructure: "by-name",
      params: Object.entries(inputSchema.properties).map(([parameter, schema]) => ({
        name: parameter,
        required: inputSchema.required.includes(parameter),
        schema: asJson(schema),
      })),
      result: { name: "result", schema: asJson(outputSchema) },
    })),
  };
}

function asJson(schema: ValueSchema | OutputSchema): JsonObject {
  // Schemas are JSON; only their members are known by name.
  return schema as unknown as JsonObject;
}
