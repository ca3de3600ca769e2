/**
 * Work on events and the audit log beside the requests: checkpoints, and the end of what is too old.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventFeed } from "@scim/core";
import { purgeAudit, signCheckpoints, type AuditKeys, type AuditStore } from "@scim/events";
import type { PurgeCounts } from "./purge-counts.ts";
import type { KeptFor } from "./retention.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (five minutes): a checkpoint is an hour old, and some minutes, when the next is due. */
const INTERVAL_MS = 300_000;
/** Rows of one batch: short enough that no writer waits long. */
const BATCH = 500;

/** What the upkeep needs. */
export interface EventUpkeep {
  readonly events: Pick<EventFeed, "purge">;
  readonly audit: AuditStore;
  readonly auditKeys: AuditKeys;
  readonly keptFor: KeptFor;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many rows were removed. */
  readonly onPurged?: PurgeCounts["add"];
  readonly onError: (error: unknown) => void;
}

/** Looks now and then every five minutes. Returns what stops it; it resolves when nothing is under way any more. */
export function startEventUpkeep(upkeep: EventUpkeep): () => Promise<void> {
  const run = (isStopped: () => boolean): Promise<void> => keepUp(upkeep, isStopped);
  return runRepeatedly({ run, interval: INTERVAL_MS, onError: upkeep.onError });
}

/** Signs what is due, then removes what is too old, also where a tenant could not be seen to. */
export async function keepUp(upkeep: Omit<EventUpkeep, "onError">, isStopped: () => boolean): Promise<void> {
  const { audit, auditKeys, now } = upkeep;
  try {
    await signCheckpoints({ ...auditKeys, audit, now, isStopped });
  } finally {
    await removeOld(upkeep, isStopped);
  }
}

/** Entries of the audit log go last, since events wait for theirs. */
async function removeOld(
  { events, audit, auditKeys, keptFor, now, onPurged }: Omit<EventUpkeep, "onError">,
  isStopped: () => boolean,
): Promise<void> {
  const before = async (tenant: string): Promise<string> =>
    new Date(now() - (await keptFor("events", tenant))).toISOString();
  let removed = BATCH;
  while (!isStopped() && removed >= BATCH) {
    removed = await events.purge(before, BATCH, new Date(now()).toISOString());
    onPurged?.("events", removed);
    await nextTurn();
  }
  const keep = (tenant: string): Promise<number> => keptFor("audit", tenant);
  const entries = await purgeAudit({ ...auditKeys, audit, now, isStopped, keep, batch: BATCH });
  onPurged?.("audit", entries);
}
