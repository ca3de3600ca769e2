/**
 * Runs steps on an SQLite database: reads at once, writes through the queue.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "../sql.ts";
import { type Answer, answerAtOnce, type Executor, madeSteps, NO_ANSWER, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
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
  readonly openSnapshot: Executor["openSnapshot"];
  readonly openStage: Executor["openStage"];
}

/** Makes the executor of a database. */
export function createExecutor(parts: ExecutorParts): Executor {
  const { reader, queue, openSnapshot, openStage } = parts;
  const run = (statement: Sql): Answer => readOnce(parts, statement);
  return {
    read: async (steps) => readWith(reader, () => runAtOnce(steps, run)),
    snapshot: async (steps) =>
      readWith(reader, () => {
        reader.run(BEGIN);
        try {
          return runAtOnce(madeSteps(steps), (statement) => reader.run(statement));
        } finally {
          // Some errors of the disk have ended it.
          if (reader.inTransaction) reader.run(COMMIT);
        }
      }),
    openSnapshot,
    write: (makeSteps) => queue.submit(makeSteps),
    openStage,
    pause: () => nextTurn(),
  };
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
 * it wrote. So it reads while nothing is written; it does not wait for locks.
 */
function readOnce({ reader, writer }: Pick<ExecutorParts, "reader" | "writer">, statement: Sql): Answer {
  if (writer.inTransaction) return reader.run(statement);
  try {
    return writer.run(statement);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return reader.run(statement);
  }
}

function runAtOnce<Result>(steps: Steps<Result>, run: (statement: Sql) => Answer): Result {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) step = steps.next(answerAtOnce(step.value, run));
  return step.value;
}
