/**
 * The Model Context Protocol over standard input and output: for an agent on the same machine.
 * @module
 */
import type { Readable, Writable } from "node:stream";
import type { ReadJson } from "../rpc.ts";
import type { ScimTools } from "../scim-tools.ts";
import { LineTransport } from "./line-transport.ts";
import { createMcpServer } from "./mcp-server.ts";
import { checked } from "./messages.ts";
import type { McpServerOptions } from "./options.ts";

/** Where messages come from and go to. */
export interface StdioOptions extends McpServerOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Reads messages; see `readRpc`. Default `JSON.parse`. */
  readonly readJson?: ReadJson | undefined;
}

/** Serves tools until the input ends, or nobody reads the output any more. What is under way then is given up. */
export async function serveStdio(
  tools: ScimTools,
  { input, output, readJson, ...options }: StdioOptions,
): Promise<void> {
  const server = createMcpServer(tools, { listChanges: true, ...options });
  const ended = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no listeners
    server.server.onclose = resolve;
    input.once("end", resolve);
    input.once("close", resolve);
    // It stays: what is on its way to an agent that has gone fails as well.
    output.on("error", () => resolve());
    output.once("close", resolve);
  });
  await server.connect(checked(new LineTransport({ input, output, readJson })));
  await ended;
  await server.close();
}
