/**
 * Waits for the lock of writers, without holding the thread.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { unavailable } from "../unavailable.ts";
import { isBusy } from "./failures.ts";
import type { LockHolders } from "./lock-holders.ts";

/** Longest pause before the lock is asked for again, in milliseconds; the true one is random. */
const LOCK_RETRY_MS = 8;

/** How the lock is waited for. */
export interface LockWaiting {
  /** Milliseconds after which it is given up. */
  readonly busyTimeout: number;
  /** Who of this process may hold it, where that is known. */
  readonly holders?: Pick<LockHolders, "isHeld"> | undefined;
}

/**
 * Begins a transaction that writes, as soon as nobody else has one.
 * @throws what beginning throws; of a lock that another of this process holds, ScimError `unavailable`
 */
export async function takeLock(
  begin: () => Promise<void> | void,
  { busyTimeout, holders }: LockWaiting,
): Promise<void> {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      await begin();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline)
        throw holders?.isHeld === true ? unavailable(HELD_HERE, error) : error;
    }
    await delay(1 + Math.random() * LOCK_RETRY_MS);
  }
}

const HELD_HERE = "Another write of this process takes long. Try again.";
