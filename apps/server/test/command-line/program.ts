/**
 * Runs the program `scim` as a process of its own, in a folder of its own.
 * @module
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";
import type { ProgramContext } from "../program/provided.ts";

/** The present program, from its sources. */
export const SOURCES = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));

/** The oldest Node.js that the program runs on. */
export const OLDEST_NODE = fileURLToPath(
  new URL("../../../../runtimes/node-22/node_modules/node/bin/node", import.meta.url),
);

/** The version that the program says it has: of its release. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { readonly version: string };

/** A new empty folder, removed when the test ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where and with what the program runs. */
export interface Run {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Path of the program. Default: the present one, in a few files where the run has made them, which start faster. */
  readonly program?: string;
  /** Path of the Node.js that runs it. Default: that of the tests. */
  readonly node?: string;
  /** Greatest file that it may write, in blocks of 512 bytes: what is beyond finds no room. */
  readonly fileBlocks?: number;
}

/** What it is told where a file would become too great; else that ends it. */
const TOLD_OF_SIZE = '--import=data:text/javascript,process.on("SIGXFSZ",()=>{})';

/** A program under way. */
export interface Program {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to the exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts `scim` with arguments. */
export function start(
  args: readonly string[],
  { folder, environment = {}, program = madeProgram() ?? SOURCES, node = process.execPath, fileBlocks }: Run,
): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SCIM_"));
  const command = [node, "--conditions=@scim/source", program, ...args];
  const limited = ["sh", "-c", `ulimit -f ${fileBlocks}; exec "$0" '${TOLD_OF_SIZE}' "$@"`];
  const [file = "", ...rest] = fileBlocks === undefined ? command : [...limited, ...command];
  const child = spawn(file, rest, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (text.stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (text.stderr += chunk));
  const ended = once(child, "close").then(() => child.exitCode);
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended };
}

function madeProgram(): ProgramContext["program"] {
  return inject("program");
}

/** What a program that has ended leaves. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `scim` to its end. */
export async function run(args: readonly string[], where: Run): Promise<Ended> {
  const program = start(args, where);
  const code = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** A server that listens on a free port. */
export interface Served extends Program {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
}

/** Starts `scim serve` on a free port and waits until it says that it listens. It runs no longer than the test. */
export async function serve(where: Run, ...args: string[]): Promise<Served> {
  const program = start(["serve", "--port", "0", ...args], where);
  onTestFinished(async () => {
    program.child.kill("SIGKILL");
    await program.ended;
  });
  return { ...program, origin: await originOf(program) };
}

/**
 * The origin that a server says it listens on, once it has told its user how to call it.
 * @throws Error with what it wrote where it ends before
 */
export function originOf(program: Program): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    const found = /Server listening at (?<origin>http:[^"]+)"/.exec(program.stdout())?.groups?.["origin"];
    if (found !== undefined && /^ {2}Try /m.test(program.stderr())) resolve(found);
  };
  program.child.stdout?.on("data", look);
  program.child.stderr?.on("data", look);
  void program.ended.then((code) =>
    reject(new Error(`scim ended with ${String(code)}:\n${program.stdout()}${program.stderr()}`)),
  );
  return promise;
}
