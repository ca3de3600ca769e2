/**
 * Runs steps on a PostgreSQL database: reads on any connection, each write in a transaction of its own.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sharedStage } from "../shared-stage.ts";
import { type Executor, NO_ANSWER, type Steps } from "../steps.ts";
import { tellable } from "./failures.ts";
import { runReads, type StartedSteps } from "./read.ts";
import type { LentConnection, SessionPool } from "./session-pool.ts";
import type { SnapshotPool } from "./snapshot.ts";
import { type MakeSteps, writeWithRetries } from "./write.ts";

/** What an executor runs on. */
export interface ExecutorOptions {
  /** Connections for what is short. */
  readonly pool: SessionPool;
  /** Connections for reads that take long. */
  readonly snapshots: SnapshotPool;
  /** Milliseconds within which a write that failed may be tried again. */
  readonly retryTimeout: number;
}

/** Makes the executor of a database. */
export function createExecutor({ pool, snapshots, retryTimeout }: ExecutorOptions): Executor {
  function write<Result>(makeSteps: MakeSteps<Result>): Promise<Result> {
    return writeWithRetries(pool, makeSteps, retryTimeout);
  }
  return {
    read: (steps) => read(pool, steps, false),
    snapshot: (steps) => read(pool, steps, true),
    openSnapshot: (signal) => snapshots.open(signal),
    openStage: async () => sharedStage(write),
    write,
    pause: () => nextTurn(),
  };
}

/** Runs steps that read. A connection that turns out to be broken before any answer came is replaced once. */
async function read<Result>(pool: SessionPool, steps: Steps<Result>, sameState: boolean): Promise<Result> {
  const started: StartedSteps<Result> = { steps, step: steps.next(NO_ANSWER), sameState, answered: false };
  try {
    const lent = await pool.acquire();
    try {
      return await runLent(lent, started);
    } catch (error) {
      if (started.answered || !lent.connection.isBroken) throw error;
    }
    return await runLent(await pool.acquire(), started);
  } catch (error) {
    throw tellable(error);
  }
}

async function runLent<Result>(
  { connection, release }: LentConnection,
  started: StartedSteps<Result>,
): Promise<Result> {
  try {
    return await runReads(connection, started);
  } finally {
    // The answer need not wait until the transaction has ended: the connection waits instead.
    if (connection.inTransaction && !connection.isBroken) void connection.endTransaction().then(release);
    else release();
  }
}
