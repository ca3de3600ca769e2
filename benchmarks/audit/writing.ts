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
/** So many that moments in which the machine does something else do not decide. */
const ROUNDS = 15;
const SECONDS = 2;
/** Rounds before those that count: until then the engine still compiles what runs often, of which the log has a part of its own. */
const WARM_UP = 4;
/** What is left to be given a position counts in the processor time of its own round, and must not fall into that of the other side. */
const REST_MS = 700;
const BAR = 0.9;

/** Measures it on both engines. */
export async function measureAudit(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-audit-"));
  try {
    await compare(report, "SQLite", async (kind) => `sqlite:${join(folder, `${kind}.db`)}`);
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

type NewAddress = (kind: "with" | "without") => Promise<string>;

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
  const audited = await startAudited("with", await newAddress("with"));
  const plain = await startAudited("without", await newAddress("without"));
  try {
    for (const { name, load } of WORKS) {
      const [withAudit, without] = [await load(audited), await load(plain)];
      const [ours, theirs] = await turns(
        () => costOf(audited, withAudit),
        () => costOf(plain, without),
      );
      report.compare(
        `${engine}: ${name}, ${CONNECTIONS} connections`,
        { name: "with the audit log", value: ours.rate, unit: "/s" },
        { name: "without", value: theirs.rate, unit: "/s" },
        BAR,
      );
      if (ours.cpu === null || theirs.cpu === null) continue;
      report.compare(
        `${engine}: ${name}, processor time of the server`,
        { name: "with the audit log", value: ours.cpu, unit: "µs" },
        { name: "without", value: theirs.cpu, unit: "µs" },
        BAR,
      );
    }
  } finally {
    await Promise.all([audited.stop(), plain.stop()]);
  }
}

/** The sides take turns, so that whatever else the machine does hits both; the middle of the rounds' ratios counts. */
async function turns(ours: () => Promise<Cost>, theirs: () => Promise<Cost>): Promise<readonly [Cost, Cost]> {
  const rounds: Pair[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const pair = [await ours(), await theirs()] as const;
    if (round >= WARM_UP) rounds.push(pair);
  }
  const [rate, cpu] = [middle(rounds, rateOf), middle(rounds, cpuOf)];
  return [
    { rate: rate[0], cpu: Number.isNaN(cpu[0]) ? null : cpu[0] },
    { rate: rate[1], cpu: Number.isNaN(cpu[1]) ? null : cpu[1] },
  ];
}

/** What a round came to. */
interface Cost {
  /** Answers per second. */
  readonly rate: number;
  /** Microseconds that the server's process ran for each; null where the system does not tell. */
  readonly cpu: number | null;
}

type Pair = readonly [ours: Cost, theirs: Cost];

const rateOf = ({ rate }: Cost): number => rate;
const cpuOf = ({ cpu }: Cost): number => cpu ?? Number.NaN;

/** The pair of figures whose ratio is in the middle. */
function middle(rounds: readonly Pair[], of: (cost: Cost) => number): readonly [number, number] {
  const pairs = rounds.map(([ours, theirs]) => [of(ours), of(theirs)] as const);
  const sorted = pairs.toSorted(([a, b], [c, d]) => a / b - c / d);
  return sorted[Math.floor(sorted.length / 2)] ?? [Number.NaN, Number.NaN];
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
