/**
 * Waiting beside the requests: it ends with what it waits for, and does not hold up the end of the process.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";

/** Waits so many milliseconds, or until the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Waits about so long, or until the signal aborts: processes that start together must not look together. */
export async function pauseAbout(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds * (0.5 + Math.random()), signal);
}
