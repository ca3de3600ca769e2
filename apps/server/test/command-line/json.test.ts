import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { OR_SERVER } from "../../src/command-table/arguments.ts";
import { COMMANDS } from "../../src/command-table/table.ts";
import { CommandFailure, EXIT, toldFailure } from "../../src/failure.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { admin, ADMIN_TOKEN, logged } from "../requests/admin.ts";
import { CALLS, CHANGING_NOTHING, ENDLESS, SPEAKERS, THING, type Earlier } from "./calls.ts";
import { captured, interruption } from "./printed.ts";
import { newFolder, OLDEST_NODE, run, start, VERSION } from "./program.ts";

const CALLED = COMMANDS.flatMap(({ name, actions }) =>
  actions.map(({ name: action, json, flags }) => ({
    called: `${name} ${action}`.trimEnd(),
    json,
    atServer: flags["url"] === OR_SERVER.url,
  })),
);

test("there is a call of every action", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(
    CALLED.map(({ called }) => called)
      .filter((called) => !SPEAKERS.has(called))
      .toSorted(),
  );
});

const SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

function filledFolder(): string {
  const folder = newFolder();
  const attributes = [{ name: "size", type: "string", multiValued: false }];
  const thing = {
    schemas: [SCHEMA],
    id: THING,
    name: "Thing",
  };
  const color = { name: "color", type: "string", multiValued: false };
  writeFileSync(join(folder, "thing.json"), JSON.stringify({ ...thing, attributes: [...attributes, color] }));
  mkdirSync(join(folder, "types"));
  writeFileSync(join(folder, "types", "thing.json"), JSON.stringify({ ...thing, attributes }));
  writeFileSync(join(folder, "less.json"), JSON.stringify({ ...thing, attributes }));
  writeFileSync(join(folder, "people.jsonl"), JSON.stringify({ schemas: [USER], userName: "imported" }));
  const users = { type: "User", key: "{userName}", match: "userName", set: { userName: "{userName}" } };
  writeFileSync(join(folder, "mapping.json"), JSON.stringify({ resources: [users] }));
  return folder;
}

/** What servers and commands are told: a database in a folder, and guards that hold what they can. */
function environmentOf(folder: string): Readonly<Record<string, string>> {
  return {
    SCIM_DATABASE_URL: `sqlite:${folder}/scim.db`,
    SCIM_TOKEN: newToken(),
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GUARD_MODE: "hold",
    SCIM_GUARD_AT_LEAST: "1",
    SCIM_GUARD_PERCENT: "0",
    SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
    SCIM_DELIVERY_PLAIN_HTTP: "allow",
  };
}

/** A server with requests in its log, and changes that the guard of a connection holds. */
async function usedServer(environment: Readonly<Record<string, string>>): Promise<InProcessServer> {
  const server = await startInProcess(environment);
  for (const userName of ["a", "b", "c"]) {
    const { path } = await server.user({ userName });
    await server.patch(path, [{ op: "replace", path: "active", value: false }]);
  }
  const { path } = await server.user({ userName: "gone" });
  await server.call("DELETE", path);
  await logged(server, 8);
  // Four users came, one changed and one went, the guard holds the rest: behind the answers each comes into the audit log.
  await expect.poll(async () => (await admin(server, "/audit")).body["entries"]).toHaveLength(6);
  return server;
}

/** What a command wrote, and what it ended with. */
interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

async function ended(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  isEndless: boolean,
): Promise<Ended> {
  const interrupt = interruption();
  const listening = process.listenerCount("SIGTERM");
  const { result, stdout, stderr } = await captured(async (written): Promise<CommandFailure | number> => {
    const running = runCommand(args, environment).catch(failureOf);
    if (isEndless) {
      await expect.poll(() => written.stdout).toContain("\n");
      interrupt();
    }
    return running;
  });
  expect(process.listenerCount("SIGTERM"), `scim ${args.join(" ")} listens no longer`).toBe(listening);
  if (typeof result === "number") return { code: result, stdout, stderr };
  return { code: result.exitCode, stdout, stderr: stderr + toldFailure(result, args) };
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  throw error;
}

function parsed({ stdout, stderr, code }: Ended, isLines: boolean): unknown {
  // A failure is told where nothing was printed; doctor and its like print what they found, and end with 1.
  if (code !== EXIT.ok && stdout === "") return JSON.parse(stderr);
  expect(stderr).toBe("");
  if (!isLines) return JSON.parse(stdout);
  return stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

function found(value: unknown, path: readonly (string | number)[]): string {
  let at = value;
  for (const key of path) at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  return String(at);
}

/** Where commands run, and what they printed there. */
interface Place {
  readonly environment: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly folder: string;
  readonly printed: Map<string, unknown>;
}

async function callAt({ environment, args: own, folder, printed }: Place, called: string): Promise<unknown> {
  const earlier: Earlier = (of, ...path) => found(printed.get(of), path);
  const args = [...called.split(" "), ...(CALLS[called]?.(earlier, folder) ?? []), ...own, "--json"];
  const end = await ended(args, environment, ENDLESS.has(called));
  const isLines = CALLED.find((each) => each.called === called)?.json === "lines";
  try {
    printed.set(called, parsed(end, isLines));
  } catch (cause) {
    throw new Error(`scim ${args.join(" ")}: ${JSON.stringify(end)}`, { cause });
  }
  // What is a list today may have something to tell beside it tomorrow.
  if (!isLines) expect(Array.isArray(printed.get(called)), `${called} prints an object`).toBe(false);
  const expected = EXPECTED_FAILURES.has(called) ? EXIT.failed : EXIT.ok;
  expect(end.code, `scim ${args.join(" ")}: ${end.stderr}${end.stdout}`).toBe(expected);
  return printed.get(called);
}

/** The names of all members, and where lists and objects are. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return "a value";
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

test("--json goes with every action: JSON on standard output and nothing else, failures too; by --url the same", async () => {
  const folder = filledFolder();
  const environment = environmentOf(folder);
  await (await usedServer(environment)).stop();
  const here = { environment, args: [], folder, printed: new Map<string, unknown>() };
  const elsewhere = filledFolder();
  const server = await usedServer(environmentOf(elsewhere));
  const remote = {
    // No command looks for a database there.
    environment: { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_DATABASE_URL: "sqlite:/nowhere/at/all.db" },
    args: [`--url=${server.origin}`],
    folder: elsewhere,
    printed: new Map<string, unknown>(),
  };
  for (const called of Object.keys(CALLS)) {
    const value = await callAt(here, called);
    if (CALLED.find((each) => each.called === called)?.atServer !== true) continue;
    expect(shapeOf(await callAt(remote, called)), called).toEqual(shapeOf(value));
  }
  await expectTrail(environment);
});

/** Expects what the trail tells of every call, but for those that change nothing; it takes a server to give positions. */
async function expectTrail(environment: Readonly<Record<string, string>>): Promise<void> {
  const server = await startInProcess(environment);
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const commands = async (): Promise<readonly string[]> => {
    const { text } = await exchange(server.origin, {
      method: "GET",
      path: "/admin/v1/audit?limit=1000",
      headers,
    });
    const told = [...text.matchAll(/"command":"scim (?<told>[^"]+)"/g)].map(
      ({ groups }) => groups?.["told"] ?? "",
    );
    return Object.keys(CALLS).filter((called) => !told.some((each) => called.startsWith(each)));
  };
  await expect.poll(commands).toEqual([...CHANGING_NOTHING]);
}

/** What ends with 1: a difference that breaks, and receivers, targets and tenants that are not there. */
const EXPECTED_FAILURES: ReadonlySet<string> = new Set([
  "schema diff",
  "webhook test",
  "schema show",
  "simulate",
  "sync",
  "tenant delete",
]);

test("scim serve --json writes its log alone", async () => {
  const program = start(["serve", "--port", "0", "--json"], { folder: newFolder() });
  onTestFinished(() => void program.child.kill("SIGKILL"));
  await expect.poll(program.stdout).toContain("SCIM is served");
  program.child.kill("SIGTERM");
  expect(await program.ended).toBe(EXIT.ok);
  expect(program.stderr()).toBe("");
  const lines = program.stdout().trim().split("\n");
  expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: "SCIM is served", baseUrl: expect.stringMatching(/^http:/) }),
  );
});

test("scim --help --json and scim --version --json", async () => {
  const help = await ended(["--help", "--json"], {}, false);
  expect(JSON.parse(help.stdout)).toHaveLength(COMMANDS.length);
  expect(help.stdout).toContain('"never-expires"');
  const version = await ended(["--version", "--json"], {}, false);
  expect(JSON.parse(version.stdout)).toMatchObject({ version: VERSION });
});

test("the oldest Node.js has nothing to say beside a failure", async () => {
  const { code, stderr } = await run(["tenant", "list", "--json"], {
    folder: newFolder(),
    node: OLDEST_NODE,
  });
  expect(code).toBe(EXIT.failed);
  expect(JSON.parse(stderr)).toMatchObject({ error: { exitCode: EXIT.failed } });
});
