/**
 * A server in the process of the test: started and stopped in milliseconds, and spoken to over a socket all the same.
 * @module
 */
import pino, { type Logger } from "pino";
import { onTestFinished } from "vitest";
import { loadRegistry } from "../../src/schema-registry.ts";
import { startServer } from "../../src/serve.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/start-store.ts";
import { clientOf, type Client } from "./client.ts";
import { newToken } from "./server.ts";

/** The token of every server of this process. */
const TOKEN = newToken();

/** A server, and a client of it. */
export interface InProcessServer extends Client {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server with an environment, which may give another token; it stops with the test. Its log is silent by default. */
export async function startInProcess(
  environment: Readonly<Record<string, string>>,
  log: Logger = pino({ level: "silent" }),
): Promise<InProcessServer> {
  const { values: settings } = resolveSettings({
    flags: { port: "0" },
    environment: { SCIM_TOKEN: TOKEN, ...environment },
  });
  const registry = loadRegistry(settings, log);
  const { opened } = await startStore(settings, log, registry);
  const server = await startServer({ settings, log, registry, opened });
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= server.stop());
  onTestFinished(stop);
  const origin = `http://127.0.0.1:${server.port}`;
  const token = environment["SCIM_TOKEN"] ?? TOKEN;
  return { ...clientOf({ origin, base: "/scim/v2", token }), origin, stop };
}
