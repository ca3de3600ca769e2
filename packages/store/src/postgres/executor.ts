/**
 * Runs steps on a PostgreSQL database: reads on any connection, each write in a transaction of its own.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sharedStage } from "../shared-stage.ts";
import { type Executor, NO_ANSWER, type Steps } from "../steps.ts";
import type { PostgresConnection } from "./connection.ts";
import { isOfNames, tellable } from "./failures.ts";
import { runReads, type StartedSteps } from "./read.ts";
import type { LentConnection, SessionPool } from "./session-pool.ts";
import { SingleStatements } from "./single-statements.ts";
import type { SnapshotPool } from "./snapshot.ts";
import { type MakeSteps, type WriteSetting, writeWithRetries } from "./write.ts";

/** What an executor runs on. */
export interface ExecutorOptions extends WriteSetting {
  /** Connections for reads that take long. */
  readonly snapshots: SnapshotPool;
}

/** Makes the executor of a database. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { pool, snapshots } = options;
  const singles = new SingleStatements();
  function write<Result>(makeSteps: MakeSteps<Result>): Promise<Result> {
    return writeWithRetries(options, makeSteps);
  }
  return {
    read: (steps) => read(pool, steps, false),
    // Nobody sees what was committed before it is durable.
    readDurable: (steps) => read(pool, steps, false),
    snapshot: (steps) =>
      typeof steps === "function" ? readForeseen(pool, singles, steps) : read(pool, steps, true),
    openSnapshot: (signal) => snapshots.open(signal),
    openStage: async () => sharedStage(write),
    write,
    pause: () => nextTurn(),
  };
}

/** Runs steps that read. */
function read<Result>(pool: SessionPool, steps: Steps<Result>, sameState: boolean): Promise<Result> {
  const started: StartedSteps<Result> = { steps, step: steps.next(NO_ANSWER), sameState, answered: false };
  return lending(pool, started, (connection) => runReads(connection, started));
}

/** Runs steps that see one state: in a transaction, or without where one statement is all. */
async function readForeseen<Result>(
  pool: SessionPool,
  singles: SingleStatements,
  makeSteps: () => Steps<Result>,
): Promise<Result> {
  const unanswered = { answered: false };
  const attempt = await singles.attempt(makeSteps(), (work) => lending(pool, unanswered, work));
  return attempt === "several statements" ? read(pool, makeSteps(), true) : attempt.result;
}

/**
 * Does work on a connection. Where it turns out to be broken before any answer came, or to have lost the names of its
 * statements, another does it, once.
 * @throws ScimError `unavailable`
 */
async function lending<Result>(
  pool: SessionPool,
  progress: { readonly answered: boolean },
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  try {
    const lent = await pool.acquire();
    try {
      return await workOn(lent, work);
    } catch (error) {
      if (progress.answered || !(lent.connection.isBroken || isOfNames(error))) throw error;
    }
    return await workOn(await pool.acquire(), work);
  } catch (error) {
    throw tellable(error);
  }
}

async function workOn<Result>(
  { connection, release }: LentConnection,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(connection);
  } finally {
    // The answer need not wait until the transaction has ended: the connection waits instead.
    if (connection.inTransaction && !connection.isBroken) void connection.endTransaction().then(release);
    else release();
  }
}
