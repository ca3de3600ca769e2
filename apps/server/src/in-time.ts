/**
 * Waiting for work that may take too long.
 * @module
 */
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";

/** For how long work is waited for, and what stands in its place then. */
export interface Patience<Late> {
  /** Milliseconds. */
  readonly most: number;
  /** Called where the work has not come to an end by then. */
  readonly late: () => Late;
}

/** What work comes to, or what stands in its place. The work itself goes on. */
export async function inTime<Result, Late>(
  work: Promise<Result>,
  { most, late }: Patience<Late>,
): Promise<Result | Late> {
  const waiting = new AbortController();
  try {
    const over = delay(most, undefined, { signal: waiting.signal, ref: false });
    // What has come while the process was busy with something else is looked at first.
    return await Promise.race([work, over.then(() => nextTurn()).then(late)]);
  } finally {
    waiting.abort();
  }
}
