/**
 * Messages that are none, and params that are not those of their method: told in words that say what to send, where the SDK
 * would take them for a fault of the server, and answer with all that its validator says.
 * @module
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  isJSONRPCNotification,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import { scimToolError, type ToolError } from "../tool-error.ts";

/** What a message is that is none. */
export const NO_MESSAGE: ToolError = scimToolError(
  "invalidRequest",
  "invalidSyntax",
  "That is no message of JSON-RPC 2.0 as the Model Context Protocol has them.",
);

const NO_PARAMS = scimToolError(
  "invalidParams",
  "invalidSyntax",
  "The member 'params' is an object, or left out; in it '_meta' is one too, and its 'progressToken' a text or a number.",
);

/** Reads a message; an error where it is none. */
export function readMessage(value: JsonValue): JSONRPCMessage | ToolError {
  const read = JSONRPCMessageSchema.safeParse(value);
  if (read.success) return read.data;
  if (!isJsonObject(value)) return NO_MESSAGE;
  const { params: _params, ...others } = value;
  return isJSONRPCRequest(others) || isJSONRPCNotification(others) ? NO_PARAMS : NO_MESSAGE;
}

/** The methods that take params of their own, and what to send. */
const METHODS = {
  initialize: {
    schema: InitializeRequestSchema,
    remedy:
      "Send 'protocolVersion', a text, 'capabilities', an object, and 'clientInfo', an object with the texts 'name' and 'version'.",
  },
  "tools/list": { schema: ListToolsRequestSchema, remedy: cursorRemedy() },
  "resources/list": { schema: ListResourcesRequestSchema, remedy: cursorRemedy() },
  "tools/call": {
    schema: CallToolRequestSchema,
    remedy: "Send 'name', the name of a tool, and 'arguments', an object; 'tools/list' tells both.",
  },
  "resources/read": {
    schema: ReadResourceRequestSchema,
    remedy: "Send 'uri', the text that 'resources/list' tells for a schema.",
  },
} as const;

function cursorRemedy(): string {
  return "Send as 'cursor' the text that the page before gave as 'nextCursor', and none for the first page.";
}

/** How deep a member is named: further in, names are those of the client. */
const MOST_NAMED = 3;

/** The answer to a request whose params are not those of its method; null for others. */
function wrongParams(request: JSONRPCRequest): JSONRPCErrorResponse | null {
  const { id, method } = request;
  if (!isKnown(method)) return null;
  const { schema, remedy } = METHODS[method];
  const { error } = schema.safeParse(request);
  if (error === undefined) return null;
  const member = (error.issues[0]?.path ?? []).slice(0, MOST_NAMED).map(String).join(".");
  const detail = `The member '${member}' of '${method}' is missing or of a wrong type. ${remedy}`;
  const { number: code, message, data } = scimToolError("invalidParams", "invalidValue", { detail, remedy });
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}

function isKnown(method: string): method is keyof typeof METHODS {
  return Object.hasOwn(METHODS, method);
}

/** A transport whose requests with wrong params are answered, and come to no server. */
export function checked(inner: Transport): Transport {
  const outer: Transport = {
    start: () => {
      Object.assign(inner, {
        onclose: () => outer.onclose?.(),
        onerror: (error) => outer.onerror?.(error),
        onmessage: (message, extra) => {
          const wrong = isJSONRPCRequest(message) ? wrongParams(message) : null;
          if (wrong === null) outer.onmessage?.(message, extra);
          else void inner.send(wrong);
        },
      } satisfies Pick<Transport, "onclose" | "onerror" | "onmessage">);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return outer;
}
