/**
 * Starts the server as its users do: a process of its own, told by environment variables, spoken to over a socket.
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { exchange } from "./exchange.ts";

const execute = promisify(execFile);

/** The command line `scim`, from source. */
const SCIM = ["--conditions=@scim/source", fileURLToPath(new URL("../../src/cli.ts", import.meta.url))];

/** How long a server may take until it is ready, and until it has stopped, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A server that runs until it is stopped. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Path of the SCIM base address. */
  readonly base: string;
  readonly token: string;
  /** Everything that it wrote to its output so far. */
  readonly log: () => string;
  /** Runs another command of `scim` on the same database; resolves to what it wrote to its standard output. */
  readonly run: (...parameters: readonly string[]) => Promise<string>;
  /** The content of every file of its working directory, database and write-ahead log included. */
  readonly files: () => Promise<readonly { readonly name: string; readonly content: Buffer }[]>;
  /** Ends the process and removes its files. */
  readonly stop: () => Promise<void>;
}

/** A token of the default tenant in the form that the server takes. */
export function newToken(tenant = "default"): string {
  return `scim_${tenant}_${randomBytes(32).toString("base64url")}`;
}

/** Starts a server on a database file of its own. `environment` adds to what it is told. */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), "scim-server-"));
  const port = await freePort();
  const token = environment["SCIM_TOKEN"] ?? newToken();
  const output: string[] = [];
  const env = {
    ...inherited(),
    SCIM_PORT: String(port),
    SCIM_DATABASE_URL: `sqlite:${join(directory, "scim.db")}`,
    SCIM_TOKEN: token,
    ...environment,
  };
  const child = spawn(process.execPath, [...SCIM, "serve"], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  const log = (): string => output.join("");
  const origin = `http://127.0.0.1:${port}`;
  try {
    await ready(child, origin, log);
  } catch (problem) {
    child.kill("SIGKILL");
    throw problem;
  }
  return {
    origin,
    base: "/scim/v2",
    token,
    log,
    run: async (...parameters) => {
      const { stdout } = await execute(process.execPath, [...SCIM, ...parameters], { cwd: directory, env });
      return stdout;
    },
    files: () => filesOf(directory),
    stop: async () => {
      await stopped(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The environment of this process without settings of a server. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SCIM_")));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new TypeError("The probe has no port.");
  return address.port;
}

async function ready(child: ChildProcess, origin: string, log: () => string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${log()}`);
    const answer = await exchange(origin, { method: "GET", path: "/readyz" }).catch(() => null);
    if (answer?.status === 200) return;
    await delay(25);
  }
  throw new Error(`The server was not ready after ${PATIENCE_MS} ms:\n${log()}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exit;
  clearTimeout(late);
}

async function filesOf(directory: string): Promise<readonly { name: string; content: Buffer }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(name) })));
}
