/**
 * What the audit log costs those who write: Users created, and changed, through the server with it and without it. A creation is
 * the dearest entry: every value of the User is told.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { PATCH_OP_URN } from "@scim/schemas";
import { cpuTime } from "../http/cpu-time.ts";
import { answersTo, type Load, send } from "../http/load.ts";
import { startAudited, type Target } from "../http/start.ts";
import type { Report } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";

const CONNECTIONS = 32;
/** Pairs of servers: two that are alike differ by some hundredths for as long as they run. */
const PAIRS = 4;
/** Rounds of each pair: with those of all so many that moments in which the machine does something else do not decide. */
const ROUNDS = 5;
const SECONDS = 2;
/** Rounds before those that count: until then the engine still compiles what runs often, of which the log has a part of its own. */
const WARM_UP = 3;
/** What is left to be given a position counts in the processor time of its own round, and must not fall into that of the other side. */
const REST_MS = 700;
const BAR = 0.9;

/** Measures it on both engines. */
export async function measureAudit(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-audit-"));
  try {
    await compare(report, "SQLite", async (name) => `sqlite:${join(folder, `${name}.db`)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const server = await startPostgres({ durable: true });
  try {
    await compare(report, "PostgreSQL", () => newDatabase(server.url));
  } finally {
    await server.stop();
  }
}

type NewAddress = (name: string) => Promise<string>;

/** What is sent, again and again. */
interface Work {
  readonly name: string;
  readonly load: (target: Target) => Promise<Load>;
}

const LOAD = { connections: CONNECTIONS, seconds: SECONDS } as const;

const WORKS: readonly Work[] = [
  {
    name: "POST a User",
    load: async () => ({ ...LOAD, method: "POST", paths: ["/Users"], body: nextUser }),
  },
  {
    name: "PATCH a User",
    load: async (target) => ({ ...LOAD, method: "PATCH", paths: await userPaths(target), body: nextTitle }),
  },
];

async function compare(report: Report, engine: string, newAddress: NewAddress): Promise<void> {
  const rounds = new Map<Work, Pair[]>(WORKS.map((work) => [work, []]));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const sides = await startPair(pair, newAddress);
    try {
      for (const [work, found] of rounds) found.push(...(await turns(work, sides)));
    } finally {
      await Promise.all([sides.audited.stop(), sides.plain.stop()]);
    }
  }
  for (const [{ name }, found] of rounds) {
    reportMiddle(report, found, {
      what: `${engine}: ${name}, ${CONNECTIONS} connections`,
      of: ({ rate }) => rate,
      unit: "/s",
    });
    reportMiddle(report, found, {
      what: `${engine}: ${name}, processor time of the server`,
      of: ({ cpu }) => cpu ?? Number.NaN,
      unit: "µs",
    });
  }
}

interface Sides {
  readonly audited: Target;
  readonly plain: Target;
}

/** By turns one of them is started first: that one is slower on some machines, whichever it is. */
async function startPair(pair: number, newAddress: NewAddress): Promise<Sides> {
  const start = async (kind: "with" | "without"): Promise<Target> =>
    startAudited(kind, await newAddress(`${kind}-${String(pair)}`));
  if (pair % 2 === 0) return { audited: await start("with"), plain: await start("without") };
  const plain = await start("without");
  return { audited: await start("with"), plain };
}

/** The sides take turns, so that whatever else the machine does hits both. */
async function turns({ load }: Work, { audited, plain }: Sides): Promise<readonly Pair[]> {
  const [withAudit, without] = [await load(audited), await load(plain)];
  const rounds: Pair[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const pair = [await costOf(audited, withAudit), await costOf(plain, without)] as const;
    if (round >= WARM_UP) rounds.push(pair);
  }
  return rounds;
}

/** What a round came to. */
interface Cost {
  /** Answers per second. */
  readonly rate: number;
  /** Microseconds that the server's process ran for each; null where the system does not tell. */
  readonly cpu: number | null;
}

type Pair = readonly [ours: Cost, theirs: Cost];

interface Figure {
  readonly what: string;
  readonly of: (cost: Cost) => number;
  readonly unit: "/s" | "µs";
}

/** The pair of figures whose ratio is in the middle counts. Nothing is reported where the system does not tell them. */
function reportMiddle(report: Report, rounds: readonly Pair[], { what, of, unit }: Figure): void {
  const sorted = rounds
    .map(([ours, theirs]) => [of(ours), of(theirs)] as const)
    .toSorted(([a, b], [c, d]) => a / b - c / d);
  const [ours, theirs] = sorted[Math.floor(sorted.length / 2)] ?? [Number.NaN, Number.NaN];
  if (Number.isNaN(ours) || Number.isNaN(theirs)) return;
  report.compare(
    what,
    { name: "with the audit log", value: ours, unit },
    { name: "without", value: theirs, unit },
    BAR,
  );
}

let made = 0;

function nextUser(): string {
  made += 1;
  const name = `audit-${String(made)}`;
  return JSON.stringify({ ...SAMPLE_USER, userName: name, externalId: name });
}

function nextTitle(): string {
  made += 1;
  const operation = { op: "replace", path: "title", value: `title ${String(made)}` };
  return JSON.stringify({ schemas: [PATCH_OP_URN], Operations: [operation] });
}

/** Users of their own for all connections. */
async function userPaths(target: Target): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let count = 0; count < CONNECTIONS * 4; count += 1)
    paths.push(`/Users/${JSON.parse(await send(target, "POST", "/Users", nextUser())).id}`);
  return paths;
}

async function costOf(target: Target, load: Load): Promise<Cost> {
  const before = cpuTime(target);
  const { count, perSecond: rate } = await answersTo(target, load);
  await delay(REST_MS);
  const after = cpuTime(target);
  return { rate, cpu: before === null || after === null ? null : (after - before) / count };
}
