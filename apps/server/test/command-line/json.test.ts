import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { COMMANDS } from "../../src/command-table/table.ts";
import { CommandFailure, EXIT, toldFailure } from "../../src/failure.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { ADMIN_TOKEN, logged } from "../requests/admin.ts";
import { captured } from "./printed.ts";
import { newFolder, start } from "./program.ts";

/** Finds a text in what an earlier command printed: the members of a document, or of its first line. */
type Earlier = (called: string, ...path: readonly (string | number)[]) => string;

/** Arguments behind an action: they are given in this order, and each may look at what came before. */
type Given = (earlier: Earlier, folder: string) => readonly string[];

const NONE: Given = () => [];

/** URN of the schema in `thing.json`. */
const THING = "urn:example:params:scim:schemas:extension:acme:1.0:Thing";

/** Actions that go on until they are stopped. */
const ENDLESS: ReadonlySet<string> = new Set(["requests tail", "events follow"]);

/** Actions that speak a protocol until they are stopped: their own tests listen to them. */
const SPEAKERS: ReadonlySet<string> = new Set(["serve", "mcp"]);

/** Every other action, in an order in which each has something to do. */
const CALLS: Readonly<Record<string, Given>> = {
  config: NONE,
  completion: () => ["bash"],
  "schema validate": (_earlier, folder) => [join(folder, "thing.json")],
  "schema diff": (_earlier, folder) => [join(folder, "thing.json"), join(folder, "less.json")],
  migrate: () => ["--plan"],
  "tenant create": () => ["acme", "--display-name", "Acme Ltd"],
  "tenant list": NONE,
  "tenant show": () => ["acme"],
  "tenant change": () => ["acme", "--display-name", "Acme"],
  "schema add": (_earlier, folder) => [join(folder, "thing.json"), "--tenant=acme"],
  "schema list": () => ["--tenant=acme"],
  "schema remove": () => [THING, "--tenant=acme"],
  "connection create": () => ["okta", "--tenant=acme"],
  "connection list": () => ["--tenant=acme"],
  "connection show": () => ["okta", "--tenant=acme"],
  "connection change": () => ["okta", "--tenant=acme", "--profile=okta"],
  "connection suspend": () => ["okta", "--tenant=acme"],
  "connection resume": () => ["okta", "--tenant=acme"],
  "token create": () => ["--tenant=acme"],
  "token list": () => ["--tenant=acme"],
  "token revoke": (earlier) => [earlier("token create", "id"), "--tenant=acme"],
  "token import": () => ["--tenant=acme", "--scheme=sha256", `--hash=${"0".repeat(64)}`],
  "client create": () => ["--tenant=acme"],
  "client list": () => ["--tenant=acme"],
  "client secret add": (earlier) => [earlier("client create", "clientId")],
  "client secret revoke": (earlier) => [
    earlier("client create", "clientId"),
    earlier("client secret add", "id"),
  ],
  "client trust add": (earlier) => [
    earlier("client create", "clientId"),
    "--issuer=https://issuer.example",
    "--jwks=https://issuer.example/keys",
    "--audience=us",
    "--subject=them",
  ],
  "client show": (earlier) => [earlier("client create", "clientId")],
  "client trust revoke": (earlier) => [
    earlier("client create", "clientId"),
    earlier("client trust add", "id"),
  ],
  "client suspend": (earlier) => [earlier("client create", "clientId")],
  "client resume": (earlier) => [earlier("client create", "clientId")],
  "client delete": (earlier) => [earlier("client create", "clientId")],
  "admin issuer add": () => [
    "--issuer=https://id.example",
    "--audience=us",
    "--jwks=https://id.example/keys",
  ],
  "admin issuer list": NONE,
  "admin issuer suspend": (earlier) => [earlier("admin issuer add", "id")],
  "admin issuer resume": (earlier) => [earlier("admin issuer add", "id")],
  "admin create": (earlier) => [
    `--issuer=${earlier("admin issuer add", "id")}`,
    "--subject=ann",
    "--name=Ann",
    "--role=support",
  ],
  "admin list": NONE,
  "admin change": (earlier) => [earlier("admin create", "id"), "--role=operator"],
  "admin revoke": (earlier) => [earlier("admin create", "id")],
  "admin issuer delete": (earlier) => [earlier("admin issuer add", "id")],
  "connection delete": () => ["okta", "--tenant=acme"],
  import: (_earlier, folder) => [join(folder, "people.jsonl")],
  export: (_earlier, folder) => [join(folder, "exported.jsonl")],
  sync: (_earlier, folder) => [
    `--source=${join(folder, "people.jsonl")}`,
    "--target=http://127.0.0.1:9/scim/v2",
    `--mapping=${join(folder, "mapping.json")}`,
  ],
  "index add": () => ["--type=User", "--path=nickName"],
  "index list": NONE,
  "index drop": () => ["--type=User", "--path=nickName"],
  "webhook create": () => ["--url=http://127.0.0.1:9/hook"],
  "webhook list": NONE,
  "webhook test": (earlier) => [earlier("webhook create", "id")],
  "webhook rotate": (earlier) => [earlier("webhook create", "id")],
  "webhook pause": (earlier) => [earlier("webhook create", "id")],
  "webhook enable": (earlier) => [earlier("webhook create", "id")],
  "webhook dead": (earlier) => [earlier("webhook create", "id")],
  "webhook replay": (earlier) => [earlier("webhook create", "id")],
  "webhook delete": (earlier) => [earlier("webhook create", "id")],
  "stream create": () => ["--audience=them"],
  "stream list": NONE,
  "stream rotate": (earlier) => [earlier("stream create", "id")],
  "stream pause": (earlier) => [earlier("stream create", "id")],
  "stream enable": (earlier) => [earlier("stream create", "id")],
  "stream dead": (earlier) => [earlier("stream create", "id")],
  "stream replay": (earlier) => [earlier("stream create", "id"), "--since=0"],
  "stream delete": (earlier) => [earlier("stream create", "id")],
  "stream keys": NONE,
  "stream rotate-key": () => ["--now"],
  "requests list": NONE,
  "requests show": (earlier) => [earlier("requests list", 0, "id")],
  "requests tail": () => ["--since=1h"],
  "case export": (earlier, folder) => [earlier("requests list", 0, "id"), join(folder, "case.json")],
  "case run": (_earlier, folder) => [join(folder, "case.json")],
  "profile list": NONE,
  "profile show": () => ["entra"],
  "profile diff": () => ["tolerant", "strict", "--connection=default"],
  "guard list": NONE,
  "guard release": (earlier) => [earlier("guard list", 0, "id")],
  "guard dismiss": () => ["--connection=default"],
  "events list": NONE,
  "events follow": () => ["--since=0"],
  erase: (earlier) => [earlier("events list", "events", 0, "id")],
  "audit list": NONE,
  "audit verify": NONE,
  "audit export": (_earlier, folder) => [join(folder, "audit.jsonl")],
  doctor: NONE,
  backup: (_earlier, folder) => [join(folder, "copy.db")],
  // Nobody listens there.
  "schema show": () => ["--url=http://127.0.0.1:9/scim/v2"],
  simulate: () => ["google", "--target=http://127.0.0.1:9/scim/v2"],
  generate: (_earlier, folder) => [`--schemas=${join(folder, "types")}`],
  "tenant suspend": () => ["acme"],
  "tenant resume": () => ["acme"],
  "tenant delete": () => ["nowhere", "--exported"],
};

const CALLED = COMMANDS.flatMap(({ name, actions }) =>
  actions.map((action) => ({ called: `${name} ${action.name}`.trimEnd(), json: action.json })),
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

/** A database with requests in its log, and changes that the guard of a connection holds. */
async function usedDatabase(folder: string): Promise<Readonly<Record<string, string>>> {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${folder}/scim.db`,
    SCIM_TOKEN: newToken(),
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GUARD_MODE: "hold",
    SCIM_GUARD_AT_LEAST: "0",
    SCIM_GUARD_PERCENT: "0",
    SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
    SCIM_DELIVERY_PLAIN_HTTP: "allow",
  };
  const server = await startInProcess(environment);
  for (const userName of ["a", "b"]) {
    const { path } = await server.user({ userName });
    await server.patch(path, [{ op: "replace", path: "active", value: false }]);
  }
  await logged(server, 4);
  await server.stop();
  return environment;
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
  const before = process.listeners("SIGINT");
  const { result, stdout, stderr } = await captured(async (written): Promise<CommandFailure | number> => {
    const running = runCommand(args, environment).catch(failureOf);
    if (isEndless) {
      await expect.poll(() => written.stdout, { timeout: 20_000 }).toContain("\n");
      for (const listen of process.listeners("SIGINT")) if (!before.includes(listen)) listen("SIGINT");
    }
    return running;
  });
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
  try {
    return stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  } catch {
    return [JSON.parse(stdout)];
  }
}

function found(value: unknown, path: readonly (string | number)[]): string {
  let at = value;
  for (const key of path) at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  return String(at);
}

test("--json goes with every action: JSON on standard output and nothing else, failures too", async () => {
  const folder = filledFolder();
  const environment = await usedDatabase(folder);
  const printed = new Map<string, unknown>();
  for (const [called, given] of Object.entries(CALLS)) {
    const earlier: Earlier = (of, ...path) => found(printed.get(of), path);
    const args = [...called.split(" "), ...given(earlier, folder), "--json"];
    const end = await ended(args, environment, ENDLESS.has(called));
    const isLines = CALLED.find((each) => each.called === called)?.json === "lines";
    try {
      printed.set(called, parsed(end, isLines));
    } catch (cause) {
      throw new Error(`scim ${args.join(" ")}: ${JSON.stringify(end)}`, { cause });
    }
    const expected = EXPECTED_FAILURES.has(called) ? EXIT.failed : EXIT.ok;
    expect(end.code, `scim ${args.join(" ")}: ${end.stderr}${end.stdout}`).toBe(expected);
  }
});

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
  await expect.poll(program.stdout, { timeout: 60_000 }).toContain("SCIM is served");
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
  expect(JSON.parse(version.stdout)).toMatchObject({ version: "0.0.0" });
});
