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
  const server = createMcpServer(tools, options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const give = (): void => void server.close();
  request.signal.addEventListener("abort", give, { once: true });
  try {
    const response = await transport.handleRequest(request, { parsedBody: body });
    // Read to its end before the transport is closed.
    const text = await response.text();
    return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
  } finally {
    request.signal.removeEventListener("abort", give);
    await server.close();
  }
}
