/**
 * Groups of up to a million members, on each engine: written by one PUT of 64 MiB, read, and changed by one member.
 * @module
 */
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { newDatabase, startPostgres } from "@scim/fixtures/postgres";
import { GROUP_URN } from "@scim/schemas";
import { Client } from "pg";
import { startOurs, type Target } from "../http/start.ts";
import { median, p99, readFor } from "../http/timed-reads.ts";
import type { Report } from "../report.ts";
import { idOf, MEMBER_BYTES } from "./group-body.ts";
import { forgetPeak, peakMiB, residentMiB, writtenBytes } from "../process-memory.ts";
import { groupSender } from "./group-sender.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** As many members as a body of 64 MiB holds, where the environment names no other number. */
const DEFAULT_MEMBERS = Math.floor((67_108_864 - 200) / MEMBER_BYTES);
const CONNECTIONS = 4;
const ALONE_SECONDS = 6;
const CHANGES = 40;

/** Measures it on both engines. */
export async function measureCollections(report: Report): Promise<void> {
  await measureEngine(report, "SQLite", {});
  const server = await startPostgres({ durable: true });
  try {
    const url = await newDatabase(server.url);
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const key = randomBytes(32).toString("base64url");
      const environment = { SCIM_DATABASE_URL: url, SCIM_MIGRATIONS: "auto", SCIM_SECRET_KEYS: `1:${key}` };
      await measureEngine(report, "PostgreSQL", environment, () => logBytes(client));
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
  }
}

/** Bytes that PostgreSQL has written to its log. */
async function logBytes(client: Client): Promise<number> {
  const { rows } = await client.query<{ readonly n: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS n",
  );
  return Number(rows[0]?.n);
}

/** @param written bytes that were written so far; default: those of the server's process */
async function measureEngine(
  report: Report,
  engine: string,
  environment: Readonly<Record<string, string>>,
  written?: () => Promise<number>,
): Promise<void> {
  const members = Number(process.env["SCIM_BENCH_MEMBERS"] ?? DEFAULT_MEMBERS);
  const target = await startOurs({ SCIM_LOG_LEVEL: "warn", SCIM_GROUPS: "off", ...environment });
  const writtenSoFar = written ?? (async () => writtenBytes(target.process.pid));
  try {
    const group = await create(target, "/Groups", { schemas: [GROUP_URN], displayName: "Everyone" });
    const large = { engine, group, members, written: writtenSoFar };
    await measureWriting(report, target, large);
    await measureReading(report, target, large);
    await measureChanges(report, target, large);
  } finally {
    await target.stop();
  }
}

interface LargeGroup {
  readonly engine: string;
  /** Bytes that were written so far. */
  readonly written: () => Promise<number>;
  readonly group: string;
  readonly members: number;
}

async function measureWriting(
  report: Report,
  target: Target,
  { engine, group, members }: LargeGroup,
): Promise<void> {
  const user = await create(target, "/Users", { schemas: [USER], userName: "reader" });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const reads = (until: number | AbortSignal): Promise<readonly number[]> =>
    readFor({ target, agent, connections: CONNECTIONS }, { until, path: () => `/Users/${user}` });
  await reads(performance.now() + 2000);
  const alone = await reads(performance.now() + ALONE_SECONDS * 1000);
  const { pid } = target.process;
  const sender = await groupSender(target, { group, members });
  const before = residentMiB(pid);
  forgetPeak(pid);
  const stopping = new AbortController();
  const reading = reads(stopping.signal);
  const took = await sender.put();
  stopping.abort();
  const beside = await reading;
  agent.destroy();
  const body = `${members.toLocaleString("en")} members, ${mib(members * MEMBER_BYTES)} MiB`;
  figure(report, `${engine}: one PUT of a group of ${body}`, took, "ms");
  figure(report, "  resident memory before it", before, "MiB");
  figure(report, "  growth at its peak", peakMiB(pid) - before, "MiB");
  figure(report, "  p99 of GET by id, alone", p99(alone), "ms");
  figure(report, "  p99 of GET by id meanwhile", p99(beside), "ms");
  report.figure({ work: "  against its p99 alone", value: p99(beside) / p99(alone), unit: "×", most: 3 });
  figure(report, "  the same once more, which changes nothing", await sender.put(), "ms");
  sender.end();
}

async function measureReading(
  report: Report,
  target: Target,
  { engine, group, members }: LargeGroup,
): Promise<void> {
  await delay(1000);
  const { pid } = target.process;
  const before = residentMiB(pid);
  forgetPeak(pid);
  const answer = await send(target, { method: "GET", path: `/Groups/${group}` });
  figure(
    report,
    `${engine}: GET of a group of ${members.toLocaleString("en")} members, ${mib(answer.bytes)} MiB`,
    answer.ms,
    "ms",
  );
  figure(report, "  first byte", answer.firstByteMs, "ms");
  figure(report, "  growth of resident memory at its peak", peakMiB(pid) - before, "MiB");
}

/** How long changes of one group took, and what they wrote. */
interface Changes {
  readonly size: number;
  readonly group: string;
  readonly add: number[];
  readonly remove: number[];
  readonly bytes: number[];
}

async function measureChanges(
  report: Report,
  target: Target,
  { engine, group, members, written }: LargeGroup,
): Promise<void> {
  const changes: Changes[] = [];
  for (const size of [10, 10_000]) changes.push(noChanges(size, await createFilled(target, size)));
  changes.push(noChanges(members, group));
  for (let round = 0; round < CHANGES; round += 1) {
    for (const each of changes) await changeOnce(target, each, written);
  }
  const [smallest] = changes;
  for (const { size, add, remove, bytes } of changes) {
    const of = `of ${size.toLocaleString("en")} members`;
    figure(report, `${engine}: add one member to a group ${of}`, median(add), "ms");
    const value = median(add) / median(smallest?.add ?? []);
    report.figure({ work: "  against 10 members", value, unit: "×", most: 1.5 });
    figure(report, "  bytes written", median(bytes), "B");
    figure(report, `${engine}: remove one member from a group ${of}`, median(remove), "ms");
  }
}

function noChanges(size: number, group: string): Changes {
  return { size, group, add: [], remove: [], bytes: [] };
}

async function changeOnce(
  target: Target,
  { group, add, remove, bytes }: Changes,
  written: LargeGroup["written"],
): Promise<void> {
  const before = await written();
  add.push(await patch(target, group, { op: "add", path: "members", value: [{ value: "newcomer" }] }));
  bytes.push((await written()) - before);
  remove.push(await patch(target, group, { op: "remove", path: 'members[value eq "newcomer"]' }));
}

async function createFilled(target: Target, size: number): Promise<string> {
  const members = Array.from({ length: size }, (_, index) => ({ value: idOf(index), type: "User" }));
  return create(target, "/Groups", { schemas: [GROUP_URN], displayName: `Group of ${size}`, members });
}

async function patch(target: Target, id: string, operation: object): Promise<number> {
  const body = JSON.stringify({ schemas: [PATCH_OP], Operations: [operation] });
  const path = `/Groups/${id}?attributes=displayName`;
  return (await send(target, { method: "PATCH", path, body })).ms;
}

async function create(target: Target, path: string, resource: object): Promise<string> {
  const { text } = await send(target, {
    method: "POST",
    path: `${path}?attributes=id`,
    body: JSON.stringify(resource),
  });
  return String(JSON.parse(text)["id"]);
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

interface Answered {
  readonly ms: number;
  readonly firstByteMs: number;
  readonly bytes: number;
  /** Of a short answer. */
  readonly text: string;
}

function send(target: Target, { method, path, body }: Sent): Promise<Answered> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(target.base + path, { method, headers: target.headers }, (answer) => {
      const firstByteMs = performance.now() - start;
      let bytes = 0;
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 1_000_000) text += chunk.toString("latin1");
      });
      answer.once("error", reject);
      answer.once("end", () => {
        if (answer.statusCode !== undefined && answer.statusCode < 300)
          resolve({ ms: performance.now() - start, firstByteMs, bytes, text });
        else
          reject(
            new Error(`${method} was answered with ${String(answer.statusCode)}: ${text.slice(0, 500)}`),
          );
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

function mib(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

function figure(report: Report, work: string, value: number, unit: string): void {
  report.figure({ work, value, unit, most: null });
}
