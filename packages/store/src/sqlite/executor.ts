/**
 * Runs steps on an SQLite database: reads at once, writes through the queue.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "../sql.ts";
import { type Answer, answerAtOnce, type Executor, madeSteps, NO_ANSWER, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { CommitFlush } from "./commit-flush.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { SqliteConnection } from "./connection.ts";
import { isBusy, orUnavailable } from "./failures.ts";

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };

/** What an executor runs statements on. */
export interface ExecutorParts {
  /** Reads beside a write that is under way. */
  readonly reader: SqliteConnection;
  readonly writer: SqliteConnection;
  readonly queue: CommitQueue;
  /** What was committed and is on its way to the disk; null where a commit waits for that. */
  readonly flush: Pick<CommitFlush, "isFlushing" | "caughtUp" | "settled" | "flushSeen"> | null;
  readonly openSnapshot: Executor["openSnapshot"];
  readonly openStage: Executor["openStage"];
}

/** Makes the executor of a database. */
export function createExecutor(parts: ExecutorParts): Executor {
  const { reader, queue, flush, openSnapshot, openStage } = parts;
  const runOnce = (statement: Sql): Answer => readOnce(parts, statement);
  const read = async <Result>(steps: Steps<Result>): Promise<Result> => {
    if (flush?.isFlushing === true) await flush.caughtUp();
    return readWith(reader, () => runAtOnce(steps, runOnce));
  };
  return {
    read,
    readDurable: async (steps) => {
      const result = await read(steps);
      await flush?.flushSeen().catch((error: unknown) => {
        throw orUnavailable(error);
      });
      return result;
    },
    snapshot: async (steps) => {
      if (flush?.isFlushing === true) await flush.caughtUp();
      return readWith(reader, () => readState(reader, madeSteps(steps)));
    },
    openSnapshot: async (signal) => {
      const opened = await openSnapshot(signal);
      // It may be of a state that is on its way to the disk.
      await flush?.settled();
      return opened;
    },
    write: (makeSteps) => queue.submit(makeSteps),
    openStage,
    pause: () => nextTurn(),
  };
}

/** Runs steps whose statements all see one state. */
export function readState<Result>(reader: SqliteConnection, steps: Steps<Result>): Result {
  const run = (statement: Sql): Answer => reader.run(statement);
  // While something is on its way to the disk, it reads one state anyway.
  if (reader.inTransaction) return runAtOnce(steps, run);
  reader.run(BEGIN);
  try {
    return runAtOnce(steps, run);
  } finally {
    // Some errors of the disk have ended it.
    if (reader.inTransaction) reader.run(COMMIT);
  }
}

/** A read that comes too late or has to wait too long is no fault of the request. */
function readWith<Result>(reader: SqliteConnection, read: () => Result): Result {
  if (!reader.isOpen) throw unavailable("The store is closed.");
  try {
    return read();
  } catch (error) {
    throw orUnavailable(error);
  }
}

/**
 * Whatever another connection writes empties the page cache of a connection: the writer alone still has the pages that
 * it wrote. So it reads while nothing is written, or on its way to the disk; it does not wait for locks.
 */
function readOnce({ reader, writer, flush }: Reading, statement: Sql): Answer {
  if (writer.inTransaction || flush?.isFlushing === true) return reader.run(statement);
  try {
    return writer.run(statement);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return reader.run(statement);
  }
}

type Reading = Pick<ExecutorParts, "reader" | "writer" | "flush">;

function runAtOnce<Result>(steps: Steps<Result>, run: (statement: Sql) => Answer): Result {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) step = steps.next(answerAtOnce(step.value, run));
  return step.value;
}
