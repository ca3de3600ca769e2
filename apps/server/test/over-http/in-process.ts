/**
 * A server in the process of the test: started and stopped in milliseconds, and spoken to over a socket all the same.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { loadRegistry } from "../../src/schema-registry.ts";
import { startServer } from "../../src/serve.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/start-store.ts";
import { clientOf, type Client } from "./client.ts";
import { newToken, type RunningServer } from "./server.ts";

/** The token of every server of this process. */
const TOKEN = newToken();

/** Path of the SCIM base address. */
const BASE = "/scim/v2";

const SILENT = pino({ level: "silent" });

/** A client, and where the server is that it calls. */
export interface InProcessClient extends Client {
  readonly server: Pick<RunningServer, "origin" | "base" | "token">;
}

/** A server, and a client of it. */
export interface InProcessServer extends Client {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server with an environment, which may give another token; it stops with the test. Its log is silent by default. */
export async function startInProcess(
  environment: Readonly<Record<string, string>>,
  log: Logger = SILENT,
): Promise<InProcessServer> {
  const server = await launch(environment, log);
  onTestFinished(server.stop);
  return server;
}

/**
 * Starts a server on a database file of its own before the tests of a group, and stops it after them; `environment` adds to
 * what it is told.
 */
export function useInProcess(environment: Readonly<Record<string, string>> = {}): InProcessClient {
  let running: InProcessServer | null = null;
  const folder = mkdtempSync(join(tmpdir(), "scim-in-process-"));
  beforeAll(async () => {
    running = await launch(
      { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, ...environment },
      SILENT,
    );
  });
  afterAll(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const now = (): InProcessServer => {
    if (running === null) throw new TypeError("The server runs within tests and hooks alone.");
    return running;
  };
  return {
    get server() {
      return { origin: now().origin, base: BASE, token: tokenOf(environment) };
    },
    call: (method, path, options) => now().call(method, path, options),
    user: (attributes) => now().user(attributes),
    group: (attributes) => now().group(attributes),
    patch: (path, operations, headers) => now().patch(path, operations, headers),
  };
}

async function launch(environment: Readonly<Record<string, string>>, log: Logger): Promise<InProcessServer> {
  const { values: settings } = resolveSettings({
    flags: { port: "0" },
    environment: { SCIM_TOKEN: TOKEN, ...environment },
  });
  const registry = loadRegistry(settings, log);
  const { opened } = await startStore(settings, log, registry);
  const server = await startServer({ settings, log, registry, opened });
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= server.stop());
  const origin = `http://127.0.0.1:${server.port}`;
  return { ...clientOf({ origin, base: BASE, token: tokenOf(environment) }), origin, stop };
}

function tokenOf(environment: Readonly<Record<string, string>>): string {
  return environment["SCIM_TOKEN"] ?? TOKEN;
}
