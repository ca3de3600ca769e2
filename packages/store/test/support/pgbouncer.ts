/**
 * PgBouncer in transaction mode, where the machine has it.
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { onTestFinished } from "vitest";
import { newFolder } from "./folders.ts";

/** Where the program is; null where it is not installed. */
export const PGBOUNCER: string | null =
  ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find((path) =>
    existsSync(path),
  ) ?? null;

/** It refuses to run as root: `nobody` on most systems. */
const NOBODY = 65_534;

/** Sessions of the database that all clients share. */
const SESSIONS = 2;

/** Whether a PgBouncer can keep the names of statements from one session to another: those since 1.21 do. */
export function canKeepNames(program: string): boolean {
  const version = /^PgBouncer (?<major>\d+)\.(?<minor>\d+)/.exec(
    execFileSync(program, ["--version"], { encoding: "utf8" }),
  )?.groups;
  return Number(version?.["major"]) > 1 || Number(version?.["minor"]) >= 21;
}

/**
 * Starts PgBouncer before a database. Resolves to the address that leads through it; it stops with the test.
 * @param keptNames how many names of statements it keeps for a client
 */
export async function startPgBouncer(program: string, url: string, keptNames: number): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(url);
  const folder = newFolder();
  chmodSync(folder, 0o755);
  const own = await freePort();
  const database = pathname.slice(1);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
${database} = host=${hostname} port=${port} dbname=${database} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
${canKeepNames(program) ? `max_prepared_statements = ${keptNames}` : ""}
`,
  );
  const root = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(program, [join(folder, "pgbouncer.ini")], { stdio: "ignore", ...root });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  const through = new URL(url);
  through.port = String(own);
  await answers(through.href);
  return through.href;
}

async function answers(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
      await client.end();
      return;
    } catch {
      await delay(50);
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new TypeError("The system gave no port");
  return address.port;
}
