/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each request stands alone, so that any process may
 * answer it.
 * @module
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { rpcError, rpcIdOf } from "../rpc.ts";
import type { ScimTools } from "../scim-tools.ts";
import { ToolError } from "../tool-error.ts";
import { createMcpServer } from "./mcp-server.ts";
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
  const server = createMcpServer(tools, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const givenUp = Promise.withResolvers<never>();
  const give = (): void => givenUp.reject(signal.reason);
  signal.addEventListener("abort", give, { once: true });
  try {
    await server.connect(checked(transport));
    // The SDK never answers once the server is closed.
    const answer = transport.handleRequest(request, { parsedBody: body });
    const response = await Promise.race([answer, givenUp.promise]);
    // Read to its end before the transport is closed.
    const text = await response.text();
    return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
  } finally {
    signal.removeEventListener("abort", give);
    await server.close();
  }
}

/** The answer to a body that holds no messages, or one that is none; null where all are messages. */
function refusalOf(body: JsonValue): JsonObject | null {
  const values = isJsonArray(body) ? body : [body];
  if (values.length === 0) return rpcError(NO_MESSAGE);
  for (const value of values) {
    const read = readMessage(value);
    if (read instanceof ToolError) return rpcError(read, rpcIdOf(value) ?? null);
  }
  return null;
}
