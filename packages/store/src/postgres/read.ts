/**
 * Steps that read, on one connection.
 * @module
 */
import { type Batch, isBatch, NO_ANSWER, PAUSE, type Steps } from "../steps.ts";
import type { Sql } from "../sql.ts";
import type { PostgresConnection } from "./connection.ts";
import { BEGIN_SNAPSHOT } from "./statements.ts";

/** What steps yield. */
export type Step = Sql | Batch | typeof PAUSE;

/** Steps that have been asked for their first statement. */
export interface StartedSteps<Result> {
  readonly steps: Steps<Result>;
  step: IteratorResult<Step, Result>;
  /** Whether all statements see the same state. */
  readonly sameState: boolean;
  /** Whether they have been handed an answer, so that they cannot begin anew. */
  answered: boolean;
}

/** Runs steps to their end. A transaction that they needed stays open. */
export async function runReads<Result>(
  connection: PostgresConnection,
  started: StartedSteps<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { steps, sameState } = started;
  while (started.step.done !== true) {
    const statement = readStatement(started.step.value);
    if (statement === null) {
      started.step = steps.next(NO_ANSWER);
      continue;
    }
    const begin = sameState && !connection.inTransaction ? [BEGIN_SNAPSHOT] : [];
    const answers = await connection.run([...begin, statement], signal);
    started.answered = true;
    started.step = steps.next(answers.at(-1) ?? NO_ANSWER);
  }
  return started.step.value;
}

/** The statement of a step, or null for a pause. */
export function readStatement(step: Step): Sql | null {
  if (step === PAUSE) return null;
  if (isBatch(step)) throw new TypeError("What reads has no batches of writes");
  return step;
}
