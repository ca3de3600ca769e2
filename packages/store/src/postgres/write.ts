/**
 * Writes, tried again within bounds where the server takes them back because of others, or a connection breaks.
 *
 * A connection that breaks during the commit leaves open what became of the write. It tells by itself: a plan leads
 * to a version that nothing else ever leads to, so that it can be looked for, and a second attempt cannot do twice
 * what the first has done.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { ScimError } from "@scim/schemas";
import type { FreshEvents } from "../events/fresh-events.ts";
import { NO_ANSWER, type Outcome, type Steps, type WriteTransaction } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { attemptWrite, type Evidence, UnknownOutcome } from "./attempt.ts";
import type { PostgresConnection } from "./connection.ts";
import { DatabaseFailure, isRetryable, tellable, UnconfirmedCommit } from "./failures.ts";
import { runReads } from "./read.ts";
import type { SessionPool } from "./session-pool.ts";
import { ownTransaction } from "./transaction.ts";

/** What writes are run with. */
export interface WriteSetting {
  readonly pool: SessionPool;
  /** Milliseconds within which a write that failed may be tried again. */
  readonly retryTimeout: number;
  /** Remembers the events of transactions that were committed; null for nothing. */
  readonly freshEvents: FreshEvents | null;
}

/** Makes the steps of a write, for each attempt anew. */
export type MakeSteps<Result> = (transaction: WriteTransaction) => Steps<Outcome<Result>>;

/** Attempts of one write at most. */
const ATTEMPTS = 12;

/** Longest pause before the second attempt, in milliseconds. It doubles with each; the true one is random. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 1000;

/**
 * Runs a write until it is done, or cannot be.
 * @throws ScimError `unavailable` where it was not carried out, or where nobody can tell
 */
export async function writeWithRetries<Result>(
  setting: WriteSetting,
  makeSteps: MakeSteps<Result>,
): Promise<Result> {
  const deadline = performance.now() + setting.retryTimeout;
  let doubt: Evidence<Result> | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(setting, makeSteps, doubt);
    } catch (error) {
      if (error instanceof UnknownOutcome) {
        if (error.evidence === null) throw unknown(error.failure);
        doubt ??= error.evidence;
      }
      const isLast =
        attempt >= ATTEMPTS || performance.now() > deadline || setting.pool.isClosed || !mayPass(error);
      if (isLast) throw doubt === null ? tellable(error) : unknown(error);
    }
    await delay(Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt));
  }
}

async function attemptOnce<Result>(
  { pool, freshEvents }: WriteSetting,
  makeSteps: MakeSteps<Result>,
  doubt: Evidence<Result> | null,
): Promise<Result> {
  const { connection, release } = await pool.acquire();
  try {
    if (doubt !== null && (await isKept(connection, doubt))) return doubt.result();
    const transaction = ownTransaction(freshEvents);
    const outcome = await attemptWrite(connection, makeSteps(transaction));
    if (outcome.keep) transaction.committed();
    // What refused this attempt may be what an earlier one did.
    if (!outcome.keep && doubt !== null && (await isKept(connection, doubt))) return doubt.result();
    return outcome.result;
  } finally {
    release();
  }
}

function isKept<Result>(connection: PostgresConnection, { wasKept }: Evidence<Result>): Promise<boolean> {
  const steps = wasKept();
  return runReads(connection, { steps, step: steps.next(NO_ANSWER), sameState: false, answered: false });
}

/** Whether another attempt may do better: the transaction was taken back, or there was no connection. */
function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseFailure) return error.isLost || isRetryable(error);
  return error instanceof UnknownOutcome || (error instanceof ScimError && error.code === "unavailable");
}

function unknown(cause: unknown): ScimError {
  const reason =
    cause instanceof UnconfirmedCommit
      ? "The database did not confirm the write in time."
      : "The connection to the database was lost during the write.";
  return unavailable(
    `${reason} It may have been carried out: look for what it was to change before you send it again.`,
    cause,
  );
}
