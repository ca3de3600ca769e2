/**
 * Gives positions to the events of what was written, by this process or another. Every process of a service does
 * this beside its requests: whoever comes first gives them.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { TenantHeldUp } from "@scim/events";
import { pauseAbout } from "../pause.ts";

/** Milliseconds between two looks, on the average: writes of that time share one transaction. */
const INTERVAL_MS = 200;
/** Milliseconds to wait after a failure (five seconds). */
const FAILURE_MS = 5000;
/**
 * Positions that one transaction gives to a tenant at most: few enough that no writer waits for more than some ten milliseconds, and so
 * many that a page of the index of the audit log, which is by resource, is written once for several entries.
 */
const BATCH = 1000;

/** What giving positions needs. */
export interface Positioning {
  readonly events: Pick<EventFeed, "assign">;
  /** Told of what failed; it is tried again. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between two looks, on the average. Default 200. */
  readonly interval?: number;
  /** Waits about so many milliseconds, or until the signal is aborted. Default: by the clock of the process. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Gives positions until it is stopped. Returns what stops it; it resolves when nothing is under way any more. */
export function startPositioning(options: Positioning): () => Promise<void> {
  const stopping = new AbortController();
  const running = run(options, stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

async function run(
  { events, onError, interval = INTERVAL_MS, pause = pauseAbout }: Positioning,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const failed = await givePositions(events, signal).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failed !== null) onError(failed.error);
    // What keeps the events of one tenant from theirs is no reason for others to wait.
    const isOfAll = failed !== null && !(failed.error instanceof TenantHeldUp);
    await pause(isOfAll ? FAILURE_MS : interval, signal);
  }
}

/**
 * Gives positions until few are left to give: under load there is always another event, and a transaction for each few
 * would cost the writers more than all else that becomes of events.
 */
async function givePositions(events: Positioning["events"], signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await events.assign(BATCH)) >= BATCH);
}
