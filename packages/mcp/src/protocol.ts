/**
 * `@scim/mcp/protocol`: the tools over the Model Context Protocol, on the official SDK. Apart from `@scim/mcp`, so that
 * who needs no MCP does not load the SDK. This file is the whole public surface.
 * @module
 */
export { answerMcp } from "./protocol/streamable-http.ts";
export type { McpServerOptions } from "./protocol/options.ts";
export { serveStdio, type StdioOptions } from "./protocol/stdio.ts";
