/**
 * Removes the rows of deleted resources once their time is over, a batch at a time.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ResourceStore } from "@scim/core";
import type { PurgeCounts } from "./purge-counts.ts";
import type { KeptFor } from "./retention.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (one hour). */
const INTERVAL_MS = 3_600_000;
/** Rows of one batch: short enough that no writer waits long. */
const BATCH = 500;

/** What the removal needs. */
export interface TombstonePurge {
  readonly store: Pick<ResourceStore, "purge">;
  readonly keptFor: KeptFor;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many rows were removed. */
  readonly onPurged?: PurgeCounts["add"];
  readonly onError: (error: unknown) => void;
}

/** Looks now and then every hour. Returns what stops it; it resolves when nothing is under way any more. */
export function startTombstonePurge(options: TombstonePurge): () => Promise<void> {
  const run = (isStopped: () => boolean): Promise<number> => purgeAll(options, isStopped);
  return runRepeatedly({ run, interval: INTERVAL_MS, onError: options.onError });
}

/** Removes all that is due, batch by batch. Resolves to the rows removed. */
export async function purgeAll(
  options: Omit<TombstonePurge, "onError">,
  isStopped: () => boolean,
): Promise<number> {
  const { store, keptFor, now, onPurged } = options;
  const before = async (tenant: string): Promise<string> =>
    new Date(now() - (await keptFor("deleted", tenant))).toISOString();
  let removed = 0;
  while (!isStopped()) {
    const rows = await store.purge(before, BATCH);
    onPurged?.("deleted", rows);
    removed += rows;
    if (rows < BATCH) break;
    await nextTurn();
  }
  return removed;
}
