/**
 * Clients that change shared groups under `If-Match`, over several servers, and keep what they were told: each
 * change touches the body, an indexed value, the members and the outbox.
 * @module
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Client, Made } from "../over-http/client.ts";

/** What a client was told of its changes of one group. */
export interface GroupRecord {
  readonly group: Made;
  /** Marks of the changes that were acknowledged, each a member that was added. */
  readonly acknowledged: Map<string, Acknowledged>;
  /** Marks of the changes of which no answer came. */
  readonly unknown: Set<string>;
}

/** An answer 200. */
export interface Acknowledged {
  /** The tag that the change was made on, and the tag that it led to. */
  readonly from: string;
  readonly to: string;
}

/** What clients do. */
export interface Writers {
  /** How to reach a server that runs now. */
  readonly client: () => Client;
  readonly groups: readonly GroupRecord[];
  /** Clients at once. */
  readonly clients: number;
  /** Acknowledged changes of each client, at least. */
  readonly changes: number;
  /** One client of each group goes on until this has ended, with a rest behind each further change. Default: none does. */
  readonly during?: Promise<unknown>;
}

/** Milliseconds: 16 clients make some 30 changes a second, and servers that start have the processor for themselves. */
const REST_MS = 500;

/** Runs all clients to the end. */
export async function writeAll({
  client,
  groups,
  clients,
  changes,
  during = Promise.resolve(),
}: Writers): Promise<void> {
  const over = new AbortController();
  const end = during.finally(() => over.abort());
  const tasks = Array.from({ length: clients }, async (_, at) => {
    const record = groups[at % groups.length];
    if (record === undefined) throw new TypeError("There is no group to change.");
    const goesOn = (): boolean => at < groups.length && !over.signal.aborted;
    for (let done = 0; done < changes || goesOn(); done += 1) {
      await changeOnce(client, record);
      if (done >= changes) await delay(REST_MS);
    }
  });
  await Promise.all([end, ...tasks]);
}

/** Goes on until one change is acknowledged. */
async function changeOnce(client: () => Client, record: GroupRecord): Promise<void> {
  for (;;) {
    const outcome = await tryChange(client(), record);
    if (outcome === "acknowledged") return;
    // Who lost a race or found no server looks again a moment later, as clients do.
    if (outcome === "unavailable") await delay(20 + Math.random() * 30);
  }
}

type Outcome = "acknowledged" | "lost" | "unavailable";

async function tryChange(client: Client, record: GroupRecord): Promise<Outcome> {
  const { path } = record.group;
  const seen = await client.call("GET", `${path}?attributes=displayName`).catch(() => null);
  if (seen?.status !== 200) return refusal(seen?.status ?? 503);
  const from = String(seen.headers.etag);
  const mark = randomUUID();
  const operations = [
    { op: "replace", path: "displayName", value: mark },
    { op: "add", path: "members", value: [{ value: mark }] },
  ];
  const answer = await client.patch(path, operations, { "If-Match": from }).catch(() => null);
  if (answer === null) {
    record.unknown.add(mark);
    return "unavailable";
  }
  if (answer.status !== 200 && answer.status !== 204) return refusal(answer.status);
  record.acknowledged.set(mark, { from, to: String(answer.headers.etag) });
  return "acknowledged";
}

/** 412 is a race that was lost, 503 a server too busy; nothing else may happen. */
function refusal(status: number): Outcome {
  if (status === 412) return "lost";
  if (status === 503) return "unavailable";
  throw new Error(`A conditional change was answered ${status}.`);
}
