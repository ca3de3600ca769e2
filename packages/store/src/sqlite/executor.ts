/**
 * Runs steps on an SQLite database: reads at once, writes through the queue.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Sql } from "../sql.ts";
import { answerAtOnce, type Executor, madeSteps, NO_ANSWER, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { CommitQueue } from "./commit-queue.ts";
import type { SqliteConnection } from "./connection.ts";
import { orUnavailable } from "./failures.ts";

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };

/** What an executor runs statements on. */
export interface ExecutorParts {
  readonly reader: SqliteConnection;
  readonly queue: CommitQueue;
  readonly openSnapshot: Executor["openSnapshot"];
  readonly openStage: Executor["openStage"];
}

/** Makes the executor of a database. */
export function createExecutor({ reader, queue, openSnapshot, openStage }: ExecutorParts): Executor {
  return {
    read: async (steps) => readWith(reader, () => runAtOnce(reader, steps)),
    snapshot: async (steps) =>
      readWith(reader, () => {
        reader.run(BEGIN);
        try {
          return runAtOnce(reader, madeSteps(steps));
        } finally {
          reader.run(COMMIT);
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

function runAtOnce<Result>(connection: SqliteConnection, steps: Steps<Result>): Result {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true)
    step = steps.next(answerAtOnce(step.value, (statement) => connection.run(statement)));
  return step.value;
}
