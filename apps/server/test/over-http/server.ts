/**
 * Starts the server as its users do: a process of its own, told by environment variables, spoken to over a socket.
 * @module
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed, runHere } from "../command-line/printed.ts";
import { originOf, start, type Program } from "../command-line/program.ts";

/** How long a server may take until it has stopped, in milliseconds. */
const PATIENCE_MS = 20_000;

/** A server that runs until it is stopped. */
export interface RunningServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Path of the SCIM base address. */
  readonly base: string;
  readonly token: string;
  /** What it wrote to its standard output so far: a line of JSON for each event. */
  readonly stdout: () => string;
  /** Everything that it wrote so far. */
  readonly log: () => string;
  /** Runs another command of `scim` on the same database; resolves to what it wrote to its standard output. */
  readonly run: (...parameters: readonly string[]) => Promise<string>;
  /**
   * Makes a token by `scim token create`, in the process of the test, with flags such as `--scope scim:read`, and the
   * tenant of `--tenant`.
   */
  readonly createToken: (...flags: readonly string[]) => Promise<string>;
  /** The content of every file of its working directory, database and write-ahead log included. */
  readonly files: () => Promise<readonly { readonly name: string; readonly content: Buffer }[]>;
  /** Ends the process at once, as a crash does. */
  readonly kill: () => void;
  /** Ends the process and removes its files. */
  readonly stop: () => Promise<void>;
}

/** A token of the default tenant in the form that the server takes. */
export function newToken(tenant = "default"): string {
  return `scim_${tenant}_${randomBytes(32).toString("base64url")}`;
}

/**
 * Makes a token by `scim token create`, in the process of the test, in the database of an environment, and the tenant
 * that the flags name.
 */
export async function createToken(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<string> {
  const at = flags.indexOf("--tenant");
  // Where the tenant is there already, this fails, and the token is made all the same.
  if (at !== -1) {
    await printed(["tenant", "create", flags[at + 1] ?? ""], environment).catch(() => undefined);
  }
  return (await printed(["token", "create", ...flags], environment)).stdout.trim();
}

/** Starts a server on a database file of its own. `environment` adds to what it is told; `from` is the program, as for `start`. */
export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  from?: string,
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), "scim-server-"));
  const token = environment["SCIM_TOKEN"] ?? newToken();
  const where = {
    folder: directory,
    ...(from === undefined ? {} : { program: from }),
    environment: {
      SCIM_PORT: "0",
      SCIM_DATABASE_URL: `sqlite:${join(directory, "scim.db")}`,
      SCIM_TOKEN: token,
      ...environment,
    },
  };
  const program = start(["serve"], where);
  const origin = await originOf(program);
  const scim = async (...parameters: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runHere(parameters, where);
    if (code !== 0) throw new Error(`scim ${parameters.join(" ")} ended with ${String(code)}: ${stderr}`);
    return stdout;
  };
  return {
    origin,
    base: "/scim/v2",
    token,
    stdout: program.stdout,
    log: () => program.stdout() + program.stderr(),
    run: scim,
    createToken: (...flags) => createToken(where.environment, flags),
    files: () => filesOf(directory),
    kill: () => void program.child.kill("SIGKILL"),
    stop: async () => {
      await stopped(program);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function stopped({ child, ended }: Program): Promise<void> {
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await ended;
  clearTimeout(late);
}

async function filesOf(directory: string): Promise<readonly { name: string; content: Buffer }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(name) })));
}
