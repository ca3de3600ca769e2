/**
 * A server in the process of the test: started and stopped in milliseconds, and spoken to over a socket all the same.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino, { type Logger } from "pino";
import { onTestFinished } from "vitest";
import { loadRegistries } from "../../src/schemas/schema-registry.ts";
import { startServer } from "../../src/serve/start-server.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/store/start-store.ts";
import { noticeUnknownTools } from "../../src/tools/unknown-tools.ts";
import { newFolder } from "../command-line/program.ts";
import { clientOf, type Client } from "./client.ts";
import { createToken, newToken, type RunningServer } from "./server.ts";

/** The token of every server of this process. */
const TOKEN = newToken();

/** Path of the SCIM base address. */
const BASE = "/scim/v2";

const SILENT = pino({ level: "silent" });

/** A server, and a client of it. */
export interface InProcessServer extends Client {
  readonly origin: string;
  /** The token of the client. */
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server with an environment, which may give another token; it stops with the test. Its log is silent by default. */
export async function startInProcess(
  environment: Readonly<Record<string, string>>,
  log: Logger = SILENT,
): Promise<InProcessServer> {
  const server = await launch({ ...folderOfSecrets(environment), ...environment }, log);
  onTestFinished(server.stop);
  return server;
}

/** Where a server writes its secrets whose database is in memory: without it, below the working directory. */
function folderOfSecrets({
  SCIM_DATABASE_URL: url,
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return url === "sqlite::memory:" ? { SCIM_DATA_DIR: newFolder() } : {};
}

/** A server on a database file of its own, which runs until it is stopped. */
export type OwnServer = Pick<RunningServer, "origin" | "base" | "token" | "createToken" | "stop">;

/** Starts a server on a database file of its own; `environment` adds to what it is told. Its log is silent by default. */
export async function startOwnServer(
  environment: Readonly<Record<string, string>> = {},
  log: Logger = SILENT,
): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), "scim-in-process-"));
  const told = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`, ...environment };
  const server = await launch(told, log);
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    origin: server.origin,
    base: BASE,
    token: server.token,
    createToken: (...flags) => createToken(told, flags),
    stop,
  };
}

async function launch(environment: Readonly<Record<string, string>>, log: Logger): Promise<InProcessServer> {
  const { values: settings } = resolveSettings({
    flags: { port: "0" },
    environment: { SCIM_TOKEN: TOKEN, ...environment },
  });
  const registries = loadRegistries(settings, log);
  await noticeUnknownTools(settings, registries, log);
  const { opened } = await startStore(settings, log, { registries });
  const server = await startServer({ settings, log, registries, opened });
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopping ??= server.stop());
  const origin = `http://127.0.0.1:${server.port}`;
  const token = tokenOf(environment);
  return { ...clientOf({ origin, base: BASE, token }), origin, token, stop };
}

function tokenOf(environment: Readonly<Record<string, string>>): string {
  return environment["SCIM_TOKEN"] ?? TOKEN;
}
