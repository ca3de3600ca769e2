/**
 * A server for the tests of one file or group.
 * @module
 */
import { afterAll, beforeAll } from "vitest";
import { clientOf, type Client } from "./client.ts";
import { startOwnServer, type OwnServer } from "./in-process.ts";
import { startServer, type RunningServer } from "./server.ts";

/** A client and the server that it calls. */
export interface ServedClient<Server extends OwnServer> extends Client {
  readonly server: Server;
}

/** What a server is told. */
type Environment = Readonly<Record<string, string>>;

/** Starts a server as a process of its own before the tests and stops it after them. */
export function useServer(environment: Environment = {}): ServedClient<RunningServer> {
  return useStarted(() => startServer(environment));
}

/** The same in the process of the tests, which is far faster: for tests that only speak to it. */
export function useInProcess(environment: Environment = {}): ServedClient<OwnServer> {
  return useStarted(() => startOwnServer(environment));
}

function useStarted<Server extends OwnServer>(start: () => Promise<Server>): ServedClient<Server> {
  let running: { readonly server: Server; readonly client: Client } | null = null;
  beforeAll(async () => {
    const server = await start();
    running = { server, client: clientOf(server) };
  });
  afterAll(() => running?.server.stop());
  const now = (): { readonly server: Server; readonly client: Client } => {
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
