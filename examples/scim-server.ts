/**
 * Starts the built server on a free port, with a folder of documents and a database in memory.
 * @module
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../apps/server/dist/cli.js", import.meta.url));

/** How long a server may take to listen, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A server that runs until it is stopped. */
export interface Server {
  /** Base address of SCIM: `http://127.0.0.1:40123/scim/v2`. */
  readonly baseUrl: string;
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * Runs `scim serve`. What it writes besides its log stands in a folder of its own, which goes with it.
 * @param schemas the folder that `SCIM_SCHEMAS` names, or null for the built-in types
 * @param settings environment variables beside
 */
export async function startServer(
  schemas: string | null,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "scim-example-"));
  const token = `scim_default_${randomBytes(32).toString("base64url")}`;
  const child = spawn(process.execPath, [PROGRAM, "serve"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      SCIM_PORT: "0",
      SCIM_DATABASE_URL: "sqlite::memory:",
      SCIM_TOKEN: token,
      ...(schemas === null ? {} : { SCIM_SCHEMAS: schemas }),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  try {
    return {
      baseUrl: `${await originOf(child)}/scim/v2`,
      token,
      stop: async () => {
        child.kill("SIGTERM");
        await ended;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The origin that the server says it listens on. */
function originOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  const fail = (why: string): void => reject(new Error(`${why}:\n${output}`));
  const read = (text: string): void => {
    output += text;
    const origin = /Server listening at (http:[^"]+)"/.exec(output)?.[1];
    if (origin !== undefined) resolve(origin);
  };
  child.stdout?.setEncoding("utf8").on("data", read);
  child.stderr?.setEncoding("utf8").on("data", read);
  child.once("exit", (code) => fail(`The server ended with ${String(code)}`));
  const late = setTimeout(() => fail("The server does not listen"), PATIENCE_MS);
  return promise.finally(() => clearTimeout(late));
}
