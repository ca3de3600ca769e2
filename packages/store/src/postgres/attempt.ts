/**
 * One attempt of a write: a transaction on one connection.
 * @module
 */
import type { Sql } from "../sql.ts";
import { type Answer, type Batch, isBatch, NO_ANSWER, type Outcome, PAUSE, type Steps } from "../steps.ts";
import type { PostgresConnection } from "./connection.ts";
import { DatabaseFailure, UnconfirmedCommit } from "./failures.ts";
import { provenStatements, unmetOf } from "./proof.ts";
import { BEGIN_WRITE, BOUND_PAUSES, COMMIT, ROLLBACK } from "./statements.ts";

/**
 * The connection broke when the commit was under way: the write was carried out whole, or not at all. Or the commit was
 * cut short, and nobody can tell whether all servers that are to have the write have it.
 */
export class UnknownOutcome<Result> extends Error {
  override readonly name = "UnknownOutcome";
  readonly failure: DatabaseFailure;
  /** How to find out, and what the result is if it was carried out; null where nothing tells. */
  readonly evidence: Evidence<Result> | null;

  constructor(failure: DatabaseFailure, evidence: Evidence<Result> | null) {
    super(failure.message);
    this.failure = failure;
    this.evidence = evidence;
  }
}

/** What tells whether a write was carried out. */
export interface Evidence<Result> {
  readonly wasKept: () => Steps<boolean>;
  readonly result: () => Result;
}

/** How far an attempt has come. */
type Phase =
  | "new"
  | "open"
  /** A statement did not do what it had to: nothing is kept, and only reads may follow. */
  | "refused"
  | "committed";

/**
 * Runs the steps of a write to their end.
 * @throws DatabaseFailure where nothing was kept
 * @throws UnknownOutcome
 */
export async function attemptWrite<Result>(
  connection: PostgresConnection,
  steps: Steps<Outcome<Result>>,
): Promise<Outcome<Result>> {
  const attempt = new Attempt(connection, steps);
  try {
    return await attempt.run();
  } catch (error) {
    if (connection.inTransaction && !connection.isBroken) await connection.endTransaction();
    throw error;
  }
}

class Attempt<Result> {
  readonly #connection: PostgresConnection;
  readonly #steps: Steps<Outcome<Result>>;
  #phase: Phase = "new";

  constructor(connection: PostgresConnection, steps: Steps<Outcome<Result>>) {
    this.#connection = connection;
    this.#steps = steps;
  }

  async run(): Promise<Outcome<Result>> {
    let step = this.#steps.next(NO_ANSWER);
    while (step.done !== true) step = this.#steps.next(await this.#answer(step.value));
    await this.#end(step.value.keep);
    return step.value;
  }

  async #answer(step: Sql | Batch | typeof PAUSE): Promise<Answer> {
    if (step === PAUSE) return NO_ANSWER;
    if (isBatch(step)) return this.#runBatch(step);
    const answers = await this.#connection.run([...this.#opening(), step]);
    if (this.#phase === "new") this.#phase = "open";
    return answers.at(-1) ?? NO_ANSWER;
  }

  async #runBatch({ batch, wasKept }: Batch): Promise<Answer> {
    const ending = wasKept === undefined ? [] : [COMMIT];
    const begun = this.#opening(ending.length > 0);
    try {
      const sent = [...begun, ...provenStatements(batch), ...ending];
      if (sent.length > 0) await this.#connection.run(sent);
    } catch (error) {
      const unmet = unmetOf(error);
      if (unmet !== null) {
        this.#phase = "refused";
        return { ...NO_ANSWER, unmet };
      }
      throw wasKept === undefined ? error : this.#doubt(error, wasKept);
    }
    this.#phase = wasKept === undefined ? "open" : "committed";
    return NO_ANSWER;
  }

  /** What has to be sent before the next statement; where the commit stands behind that, the server waits for nothing. */
  #opening(isWhole: boolean = false): readonly Sql[] {
    if (this.#phase === "new") return isWhole ? [BEGIN_WRITE] : [BEGIN_WRITE, BOUND_PAUSES];
    return this.#phase === "refused" && this.#connection.inTransaction ? [ROLLBACK] : [];
  }

  async #end(keep: boolean): Promise<void> {
    if (!keep) {
      if (this.#phase === "committed") throw new TypeError("A write was committed that was not to be kept");
      if (this.#connection.inTransaction) await this.#connection.endTransaction();
      return;
    }
    if (this.#phase === "refused")
      throw new TypeError("A write was to be kept that did not do what it had to");
    if (this.#phase !== "open") return;
    try {
      await this.#connection.run([COMMIT]);
    } catch (error) {
      throw this.#doubt(error, null);
    }
  }

  #doubt(error: unknown, wasKept: (() => Steps<boolean>) | null): unknown {
    if (!(error instanceof DatabaseFailure) || !error.isLost) return error;
    const hasEvidence = wasKept !== null && !(error instanceof UnconfirmedCommit);
    return new UnknownOutcome(error, hasEvidence ? { wasKept, result: () => this.#resultOfKept() } : null);
  }

  /** What the steps answer when they hear that their last batch was carried out. */
  #resultOfKept(): Result {
    const step = this.#steps.next(NO_ANSWER);
    if (step.done !== true) throw new TypeError("Statements came behind the last batch of a write");
    return step.value.result;
  }
}
