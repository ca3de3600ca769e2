/**
 * Starts the servers that are compared, each in a process of its own.
 * @module
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const COMMAND_LINE = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));
const PATIENCE_MS = 20_000;
/** How often a server that starts is asked whether it is ready. */
const READY_LOOK_MS = 2;

/** A server under load. */
export interface Target {
  readonly name: string;
  /** Address of the collection endpoints, such as `http://127.0.0.1:8080/scim/v2`. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly process: ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Our server on a database file, with more settings. */
export async function startOurs(environment: Readonly<Record<string, string>> = {}): Promise<Target> {
  const directory = newDirectory();
  const port = await freePort();
  const token = `scim_default_${randomBytes(32).toString("base64url")}`;
  const child = spawn(process.execPath, [COMMAND_LINE, "serve"], {
    cwd: directory,
    stdio: "ignore",
    env: {
      ...process.env,
      SCIM_PORT: String(port),
      SCIM_DATABASE_URL: `sqlite:${join(directory, "scim.db")}`,
      SCIM_TOKEN: token,
      // What is measured is the server, and not its limit.
      SCIM_RATE_PER_SECOND: "0",
      ...environment,
    },
  });
  const origin = `http://127.0.0.1:${port}`;
  await ready(`${origin}/readyz`);
  return target("@scim/server", child, {
    directory,
    base: `${origin}/scim/v2`,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
  });
}

/** Bare Fastify on a database file. */
export async function startBare(): Promise<Target> {
  const directory = newDirectory();
  const child = forkServer("bare.ts", [join(directory, "bare.db")]);
  const headers = { "content-type": "application/json" };
  return target("bare Fastify", child, {
    directory,
    base: `http://127.0.0.1:${await portOf(child)}`,
    headers,
  });
}

/** Our server on a database, with the audit log or without it. */
export async function startAudited(kind: "with" | "without", address: string): Promise<Target> {
  const child = forkServer("../../audit/server.ts", [kind, address]);
  const { port, token } = await toldBy(child);
  const headers = { authorization: `Bearer ${String(token)}`, "content-type": "application/scim+json" };
  const base = `http://127.0.0.1:${String(port)}/scim/v2`;
  return target(`${kind} the audit log`, child, { directory: null, base, headers });
}

/** scimmy-routers in memory. */
export async function startScimmy(): Promise<Target> {
  const child = forkServer("scimmy.ts", []);
  const base = `http://127.0.0.1:${await portOf(child)}/scim/v2`;
  const headers = { authorization: "Bearer benchmark", "content-type": "application/scim+json" };
  return target("scimmy-routers", child, { directory: null, base, headers });
}

function target(
  name: string,
  child: ChildProcess,
  at: Pick<Target, "base" | "headers"> & { readonly directory: string | null },
): Target {
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    if (at.directory !== null) rmSync(at.directory, { recursive: true, force: true });
  };
  return { name, base: at.base, headers: at.headers, process: child, stop };
}

function forkServer(file: string, parameters: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`servers/${file}`, import.meta.url)), parameters, {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

async function portOf(child: ChildProcess): Promise<number> {
  const { port } = await toldBy(child);
  return Number(port);
}

/** What a program that was forked tells first. */
async function toldBy(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  const [message] = await once(child, "message", { signal: AbortSignal.timeout(PATIENCE_MS) });
  return message;
}

function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), "scim-bench-"));
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

async function ready(address: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok === true) return;
    await delay(READY_LOOK_MS);
  }
  throw new Error(`Nothing answered at ${address}.`);
}
