/**
 * Groups of up to a million members: written by one PUT of 64 MiB, read, and changed by one member.
 * @module
 */
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { GROUP_URN } from "@scim/schemas";
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

/** Measures it. */
export async function measureCollections(report: Report): Promise<void> {
  const members = Number(process.env["SCIM_BENCH_MEMBERS"] ?? DEFAULT_MEMBERS);
  const target = await startOurs({ SCIM_LOG_LEVEL: "warn", SCIM_GROUPS: "off" });
  try {
    const group = await create(target, "/Groups", { schemas: [GROUP_URN], displayName: "Everyone" });
    await measureWriting(report, target, { group, members });
    await measureReading(report, target, { group, members });
    await measureChanges(report, target, { group, members });
  } finally {
    await target.stop();
  }
}

interface LargeGroup {
  readonly group: string;
  readonly members: number;
}

async function measureWriting(report: Report, target: Target, { group, members }: LargeGroup): Promise<void> {
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
  figure(report, `one PUT of a group of ${body}`, took, "ms");
  figure(report, "  resident memory before it", before, "MiB");
  figure(report, "  growth at its peak", peakMiB(pid) - before, "MiB");
  figure(report, "  p99 of GET by id, alone", p99(alone), "ms");
  figure(report, "  p99 of GET by id meanwhile", p99(beside), "ms");
  report.figure({ work: "  against its p99 alone", value: p99(beside) / p99(alone), unit: "×", most: 3 });
  figure(report, "  the same once more, which changes nothing", await sender.put(), "ms");
  sender.end();
}

async function measureReading(report: Report, target: Target, { group, members }: LargeGroup): Promise<void> {
  await delay(1000);
  const { pid } = target.process;
  const before = residentMiB(pid);
  forgetPeak(pid);
  const answer = await send(target, { method: "GET", path: `/Groups/${group}` });
  figure(
    report,
    `GET of a group of ${members.toLocaleString("en")} members, ${mib(answer.bytes)} MiB`,
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

async function measureChanges(report: Report, target: Target, { group, members }: LargeGroup): Promise<void> {
  const changes: Changes[] = [];
  for (const size of [10, 10_000]) changes.push(noChanges(size, await createFilled(target, size)));
  changes.push(noChanges(members, group));
  for (let round = 0; round < CHANGES; round += 1) {
    for (const each of changes) await changeOnce(target, each);
  }
  const [smallest] = changes;
  for (const { size, add, remove, bytes } of changes) {
    const of = `of ${size.toLocaleString("en")} members`;
    figure(report, `add one member to a group ${of}`, median(add), "ms");
    const value = median(add) / median(smallest?.add ?? []);
    report.figure({ work: "  against 10 members", value, unit: "×", most: 1.5 });
    figure(report, "  bytes written", median(bytes), "B");
    figure(report, `remove one member from a group ${of}`, median(remove), "ms");
  }
}

function noChanges(size: number, group: string): Changes {
  return { size, group, add: [], remove: [], bytes: [] };
}

async function changeOnce(target: Target, { group, add, remove, bytes }: Changes): Promise<void> {
  const { pid } = target.process;
  const before = writtenBytes(pid);
  add.push(await patch(target, group, { op: "add", path: "members", value: [{ value: "newcomer" }] }));
  bytes.push(writtenBytes(pid) - before);
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
