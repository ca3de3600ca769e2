/**
 * How long a GET takes while another client goes through all users with a filter that no index serves.
 * @module
 */
import { randomBytes } from "node:crypto";
import { Agent, globalAgent } from "node:http";
import { startOurs, type Target } from "../http/start.ts";
import { getText, p99, readFor } from "../http/timed-reads.ts";
import { POSTGRES, SQLITE } from "../queries/database.ts";
import type { Report } from "../report.ts";
import { fillTenant, idOf } from "./users.ts";

/** Users, where the environment names no other number: `SCIM_BENCH_USERS=100000` for a quick run. */
const DEFAULT_USERS = 1_000_000;
const CONNECTIONS = 4;
const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP_SECONDS = 2;
const MOST_TIMES = 3;

/** Measures it on both engines. */
export async function measureScan(report: Report): Promise<void> {
  const users = Number(process.env["SCIM_BENCH_USERS"] ?? DEFAULT_USERS);
  for (const engine of [SQLITE, POSTGRES]) {
    const database = await engine.open();
    try {
      await fillTenant(database.store, { tenant: "default", users });
      await database.raw.analyze();
      await measureServer(report, { engine: engine.name, url: database.url, users });
    } finally {
      await database.close();
    }
  }
}

/** What is measured. */
interface Scanned {
  readonly engine: string;
  readonly url: string;
  readonly users: number;
}

async function measureServer(report: Report, scanned: Scanned): Promise<void> {
  const target = await startOurs({
    SCIM_DATABASE_URL: scanned.url,
    SCIM_SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    // A slow machine shall finish too.
    SCIM_QUERY_TIMEOUT: "600000",
    SCIM_LOG_LEVEL: "warn",
  });
  try {
    await measureReads(report, target, scanned);
  } finally {
    await target.stop();
  }
}

async function measureReads(report: Report, target: Target, { engine, users }: Scanned): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const reads = (seconds: number): Promise<readonly number[]> =>
    readFor(
      { target, agent, connections: CONNECTIONS },
      {
        until: performance.now() + seconds * 1000,
        path: () => `/Users/${idOf(Math.floor(Math.random() * users))}`,
      },
    );
  await reads(WARM_UP_SECONDS);
  const alone: number[] = [];
  const beside: number[] = [];
  const scans: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(...(await reads(SECONDS)));
    const scanning = startScans(target, users);
    beside.push(...(await reads(SECONDS)));
    scans.push(...(await scanning.stop()));
  }
  agent.destroy();
  const among = `${users.toLocaleString("en")} users on ${engine}`;
  const figure = (work: string, value: number, most: number | null = null): void =>
    report.figure({ work, value, unit: most === null ? "ms" : "×", most });
  figure(`p99 of GET by id, alone, on ${engine}`, p99(alone));
  figure(`p99 of GET by id while another client scans ${among}`, p99(beside));
  figure(`  against its p99 alone, on ${engine}`, p99(beside) / p99(alone), MOST_TIMES);
  figure(`a scan of ${among} beside it`, scans.reduce((sum, each) => sum + each, 0) / scans.length);
}

/** Scans one after another until they are stopped; the last is waited for. */
function startScans(target: Target, users: number): { stop(): Promise<readonly number[]> } {
  const stopping = new AbortController();
  const run = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    do {
      const start = performance.now();
      const path = `/Users?filter=${encodeURIComponent('nickName eq "nick-7"')}&count=10`;
      const { totalResults } = JSON.parse(await getText({ target, agent: globalAgent }, path));
      if (totalResults !== users / 1000) throw new Error(`The scan found ${String(totalResults)}.`);
      times.push(performance.now() - start);
    } while (!stopping.signal.aborted);
    return times;
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
