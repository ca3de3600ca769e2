/**
 * Locks on tables, taken without making others wait for long: whoever waits for a lock holds up all that come behind,
 * so it gives up soon, and tries again later.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { StoreError } from "../errors.ts";

/** How long a migration waits for locks. */
export interface LockPatience {
  /** Milliseconds that one statement waits: about so long may requests be held up. Default 1000. */
  readonly lockTimeout?: number;
  /** Tries before it gives up. Default 60: about a minute and a half. */
  readonly lockTries?: number;
}

/** Longest pause between two tries, in milliseconds; the true one is random. */
const PAUSE_MS = 1000;

/** What PostgreSQL answers who gets no lock: `lock_not_available`, and `deadlock_detected` where others wait for what it holds. */
const NO_LOCK: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/**
 * Runs a transaction; where a lock is not to be had in time, it is taken back, and run again.
 * @throws StoreError `databaseUnusable` where no try got its locks
 * @param work begins the transaction and commits it; it calls `brief` before the first lock on a table
 */
export async function withBriefLocks<Result>(
  client: pg.Client,
  { lockTimeout = 1000, lockTries = 60 }: LockPatience,
  work: (brief: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const brief = async (): Promise<void> => {
    await client.query("SELECT set_config('lock_timeout', $1, true)", [`${lockTimeout}ms`]);
  };
  for (let left = lockTries - 1; ; left -= 1) {
    try {
      return await work(brief);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !NO_LOCK.has(error.code)) throw error;
      await client.query("ROLLBACK");
      if (left <= 0) throw stayedLocked(error);
    }
    await delay(Math.random() * PAUSE_MS);
  }
}

function stayedLocked(cause: unknown): StoreError {
  return new StoreError(
    "databaseUnusable",
    "Other transactions hold a table that has to be changed, and nothing was changed; migrate again when they have ended",
    cause,
  );
}
