/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each request stands alone, so that any process may
 * answer it.
 * @module
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JsonValue } from "@scim/schemas";
import type { ScimTools } from "../scim-tools.ts";
import { createMcpServer } from "./mcp-server.ts";
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
  const server = createMcpServer(tools, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const givenUp = Promise.withResolvers<never>();
  const give = (): void => givenUp.reject(signal.reason);
  signal.addEventListener("abort", give, { once: true });
  try {
    await server.connect(transport);
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
