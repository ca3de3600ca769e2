/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each request stands alone, so that any process may
 * answer it.
 * @module
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { rpcError, rpcIdOf } from "../rpc.ts";
import type { ScimTools } from "../scim-tools.ts";
import { scimToolError, ToolError } from "../tool-error.ts";
import { createMcpServer } from "./mcp-server.ts";
import { holdsTooMuch, MOST_AROUND } from "./members-around.ts";
import { checked, NO_MESSAGE, readMessage } from "./messages.ts";
import type { McpServerOptions } from "./options.ts";

/**
 * Answers one request, whose body is read already. Who calls has to authenticate it first, and to check its `Origin`.
 * Rejects with the reason of the request's signal as soon as that is aborted: then what is under way is given up.
 *
 * @example
 * const body = JSON.parse(await request.text());
 * const response = await answerMcp(createScimTools({ client }), request, { body });
 */
export async function answerMcp(
  tools: ScimTools,
  request: Request,
  { body, ...options }: McpServerOptions & { readonly body: JsonValue },
): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  const refused = refusalOf(body);
  if (refused !== null) return Response.json(refused, { status: 400 });
  const server = createMcpServer(inTurn(tools), options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const givenUp = Promise.withResolvers<never>();
  const give = (): void => givenUp.reject(signal.reason);
  signal.addEventListener("abort", give, { once: true });
  try {
    await server.connect(checked(transport));
    // The SDK never answers once the server is closed.
    const answer = transport.handleRequest(request, { parsedBody: withoutCancellations(body) });
    const response = await Promise.race([answer, givenUp.promise]);
    // Read to its end before the transport is closed.
    const text = await response.text();
    return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
  } finally {
    signal.removeEventListener("abort", give);
    await server.close();
  }
}

/** Tools whose calls wait for those before them: the SDK begins all requests of a batch at once. */
function inTurn(tools: ScimTools): ScimTools {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...tools,
    call: (name, params, options) => {
      const made = last.then(() => tools.call(name, params, options));
      // What one failed by is its caller's, and not that of the next.
      last = made.catch(() => undefined);
      return made;
    },
  };
}

/**
 * The answer to a body that holds no messages, or one that is none, or requests that answers would not tell apart; null
 * where all can be answered.
 */
function refusalOf(body: JsonValue): JsonObject | null {
  const values = isJsonArray(body) ? body : [body];
  if (values.length === 0) return rpcError(NO_MESSAGE);
  if (holdsTooMuch(values)) return rpcError(TOO_MUCH);
  for (const value of values) {
    const read = readMessage(value);
    if (read instanceof ToolError) return rpcError(read, rpcIdOf(value) ?? null);
  }
  const ids = values.flatMap((value) => (isRequest(value) ? [rpcIdOf(value)] : []));
  return new Set(ids).size === ids.length ? null : rpcError(SAME_ID);
}

const TOO_MUCH = scimToolError(
  "invalidRequest",
  "payloadTooLarge",
  `The messages hold more than ${MOST_AROUND} members and entries beside what 'arguments' hold; nothing was done. Send fewer.`,
);

const SAME_ID = scimToolError(
  "invalidRequest",
  "invalidSyntax",
  "Two requests of the batch have the same id; nothing was done. Give each request an id of its own.",
);

function isRequest(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "method") && Object.hasOwn(value, "id");
}

/**
 * A batch without cancellations: no request of another body is known here, and the SDK never answers a batch of which a
 * request was cancelled.
 */
function withoutCancellations(body: JsonValue): JsonValue {
  if (!isJsonArray(body)) return body;
  const kept = body.filter((value) => isRequest(value) || methodOf(value) !== CANCELLED);
  return kept.length === 0 ? body : kept;
}

function methodOf(value: JsonValue): JsonValue | undefined {
  return isJsonObject(value) ? value["method"] : undefined;
}

const CANCELLED = "notifications/cancelled";
