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

/** Milliseconds that what is under way has when the input has ended: an agent that goes waits for no answer, a pipe does. */
const PATIENCE_MS = 10_000;

/**
 * Serves tools until the input ends and what was asked is answered, ten seconds later at most, or nobody reads the output any
 * more. What is under way then is given up.
 */
export async function serveStdio(
  tools: ScimTools,
  { input, output, readJson, ...options }: StdioOptions,
): Promise<void> {
  const server = createMcpServer(tools, { listChanges: true, ...options });
  const lines = new LineTransport({ input, output, readJson });
  const gone = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no listeners
    server.server.onclose = resolve;
    // It stays: what is on its way to an agent that has gone fails as well.
    output.on("error", () => resolve());
    output.once("close", resolve);
  });
  const ended = new Promise<void>((resolve) => {
    input.once("end", resolve);
    input.once("close", resolve);
  });
  await server.connect(checked(lines));
  await Promise.race([gone, ended.then(() => answeredInTime(lines))]);
  await server.close();
}

async function answeredInTime(lines: LineTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([lines.answered(), late]);
  clearTimeout(timer);
}
