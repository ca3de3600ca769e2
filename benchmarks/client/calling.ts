/**
 * What the client costs beside bare undici on the same requests, and how fast it lists.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createScimClient, type ScimClient } from "@scim/client";
import { Agent, request } from "undici";
import { cpuTime } from "../http/cpu-time.ts";
import { startOurs, type Target } from "../http/start.ts";
import { median } from "../http/timed-reads.ts";
import type { Report, Side } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const AT_ONCE = 32;
const ROUNDS = 6;
const MILLISECONDS = 600;
const USERS = 100_000;
const PAGE = 1000;
/** Pairs of whole lists, one of each side: a list takes some seconds. */
const PAIRS = 5;
/**
 * Of what the server can stream. Where it and the client share processors, how long lists take depends on how many are free;
 * their processor times tell whether the bar is reached where they do not.
 */
const LEAST_PART = 0.8;
const PROGRAM = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));

/** Measures all of it. */
export async function measureClient(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-bench-client-"));
  try {
    await measureOn(`sqlite:${await filled(folder)}`, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOn(database: string, report: Report): Promise<void> {
  const server = await startOurs({ SCIM_DATABASE_URL: database });
  const client = createScimClient({ baseUrl: server.base, auth: tokenOf(server), cache: false });
  const agent = new Agent({ connections: AT_ONCE });
  const asked = async (path: string): Promise<{ text(): Promise<string> }> => {
    const { body } = await request(server.base + path, { dispatcher: agent, headers: server.headers });
    return body;
  };
  try {
    const first = await client.users.list().first();
    const id = first?.id ?? "";
    const bare = async (): Promise<unknown> => JSON.parse(await (await asked(`/Users/${id}`)).text());
    const reads = await ratesInTurn({ ours: () => client.users.get(id), theirs: bare });
    report.compare(`GET a User, ${AT_ONCE} at once`, ours(reads.ours), theirs(reads.theirs), 0.85);
    const sides = { ours: () => listed(client), theirs: () => streamed(asked) };
    const lists = await listsInTurn(sides, server);
    const work = `list ${USERS.toLocaleString("en")} Users by cursor`;
    const bytes = { ...theirs(lists.theirs), name: "bytes alone" };
    report.compare(`${work}, resources`, ours(lists.ours), bytes, LEAST_PART);
    if (Number.isNaN(lists.part)) return;
    report.figure({
      work: `${work}, processor time of the client for that of the server`,
      value: lists.part,
      unit: "×",
      most: 1 / LEAST_PART,
    });
  } finally {
    await Promise.all([client.close(), agent.close(), server.stop()]);
  }
}

function ours(value: number): Side {
  return { name: "@scim/client", value, unit: "/s" };
}

function theirs(value: number): Side {
  return { name: "bare undici", value, unit: "/s" };
}

function tokenOf({ headers }: Target): string {
  return (headers["authorization"] ?? "").slice("Bearer ".length);
}

/** A database with the users, imported. Gives its path. */
async function filled(folder: string): Promise<string> {
  const lines = Array.from({ length: USERS }, (_, n) =>
    JSON.stringify({ ...SAMPLE_USER, userName: `bench-${n}@example.com`, externalId: `e-${n}` }),
  );
  const [source, database] = [join(folder, "users.jsonl"), join(folder, "scim.db")];
  writeFileSync(source, `${lines.join("\n")}\n`);
  const args = [PROGRAM, "import", source, "--type", "User", "--database-url", `sqlite:${database}`];
  await promisify(execFile)(process.execPath, args);
  return database;
}

async function listed(client: ScimClient): Promise<void> {
  let count = 0;
  for await (const page of client.users.list({ pageSize: PAGE }).pages()) count += page.resources.length;
  if (count !== USERS) throw new Error(`The client listed ${count} users.`);
}

/** What the server can stream: the same pages, one after another, of which nothing but the next cursor is looked for. */
async function streamed(asked: (path: string) => Promise<{ text(): Promise<string> }>): Promise<void> {
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const text = await (await asked(`/Users?count=${PAGE}&cursor=${cursor}`)).text();
    cursor = /"nextCursor":"(?<cursor>[^"]+)"/.exec(text)?.groups?.["cursor"];
  }
}

/** What came of lists. */
interface Lists extends Readonly<Record<"ours" | "theirs", number>> {
  /** Processor time of the client for that of the server, over all lists; not a number where the system does not tell. */
  readonly part: number;
}

/** Resources in a second, of each side the median of lists that take turns; who begins takes turns too. */
async function listsInTurn(sides: Sides, server: Target): Promise<Lists> {
  const rates = { ours: [] as number[], theirs: [] as number[] };
  const times = { client: 0, server: 0 };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (const name of pair % 2 === 0 ? (["ours", "theirs"] as const) : (["theirs", "ours"] as const)) {
      const [begun, own, served] = [performance.now(), process.cpuUsage(), cpuTime(server)];
      await sides[name]();
      rates[name].push((USERS * 1000) / (performance.now() - begun));
      if (name === "theirs") continue;
      const { user, system } = process.cpuUsage(own);
      times.client += user + system;
      times.server += (cpuTime(server) ?? Number.NaN) - (served ?? 0);
    }
  }
  return {
    ours: median(rates.ours),
    theirs: median(rates.theirs),
    part: times.client / times.server,
  };
}

type Sides = Readonly<Record<"ours" | "theirs", () => Promise<unknown>>>;

/** Calls in a second, of each side the best of some rounds that take turns. */
async function ratesInTurn(sides: Sides): Promise<Readonly<Record<"ours" | "theirs", number>>> {
  const best = { ours: 0, theirs: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["ours", "theirs"] as const) {
      best[name] = Math.max(best[name], await rateOf(sides[name]));
    }
  }
  return best;
}

async function rateOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let calls = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begun < MILLISECONDS) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return (calls * 1000) / (performance.now() - begun);
}
