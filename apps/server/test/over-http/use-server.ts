/**
 * A server for the tests of one file.
 * @module
 */
import { afterAll, beforeAll } from "vitest";
import { clientOf, type Client } from "./client.ts";
import { startServer, type RunningServer } from "./server.ts";

/** A client and the server that it calls. */
export interface ServedClient extends Client {
  readonly server: RunningServer;
}

/** Starts a server before the tests of a file and stops it after them; `environment` is what it is told. */
export function useServer(environment: Readonly<Record<string, string>> = {}): ServedClient {
  let running: { readonly server: RunningServer; readonly client: Client } | null = null;
  beforeAll(async () => {
    const server = await startServer(environment);
    running = { server, client: clientOf(server) };
  });
  afterAll(() => running?.server.stop());
  const now = (): { readonly server: RunningServer; readonly client: Client } => {
    if (running === null) throw new TypeError("The server runs within tests and hooks alone.");
    return running;
  };
  return {
    get server() {
      return now().server;
    },
    call: (method, path, options) => now().client.call(method, path, options),
    user: (attributes) => now().client.user(attributes),
    group: (attributes) => now().client.group(attributes),
    patch: (path, operations, headers) => now().client.patch(path, operations, headers),
  };
}
