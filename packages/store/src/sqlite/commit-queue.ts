/**
 * Group commit: all writes that wait share one transaction, and so one flush to the disk. Each has a
 * savepoint of its own, so that one that fails takes nothing from the others; one that is alone needs none.
 * @module
 */
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { CommitListener } from "../load.ts";
import type { Sql } from "../sql.ts";
import { answerAtOnce, NO_ANSWER, type Outcome, PAUSE, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { SqliteConnection } from "./connection.ts";
import { failureOf, isBusy, orUnavailable } from "./failures.ts";
import { SharedTransaction } from "./transaction.ts";

/** Writes that share a transaction at most, so that a flood of them does not hold up reads for long. */
const BATCH_WRITES = 256;

/** Longest pause before the lock is asked for again, in milliseconds; the true one is random. */
const LOCK_RETRY = 8;

/** Settings of a queue. */
export interface CommitQueueOptions {
  /** Milliseconds after which a write gives up waiting for another process. */
  readonly busyTimeout: number;
  /** Whether a long write may let reads go first. Not where they share its connection. */
  readonly pauses: boolean;
  /** Called before each transaction. */
  readonly beforeWrite?: (() => void) | undefined;
  /** Told of each transaction that was committed, and of how many writes shared it. */
  readonly onCommit?: CommitListener | undefined;
}

/** A write that waits, and how to tell its caller. */
interface WaitingWrite {
  /** Runs the write; answers what to call when it is durable. */
  readonly run: (transaction: SharedTransaction) => Generator<void, Settlement>;
  readonly reject: (error: unknown) => void;
}

interface Settlement {
  readonly keep: boolean;
  readonly settle: () => void;
}

const BEGIN: Sql = { text: "BEGIN IMMEDIATE", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };
const SAVEPOINT: Sql = { text: "SAVEPOINT write_plan", params: [] };
const RELEASE: Sql = { text: "RELEASE write_plan", params: [] };
const ROLLBACK_TO: Sql = { text: "ROLLBACK TO write_plan", params: [] };
const ROLLBACK: Sql = { text: "ROLLBACK", params: [] };

/** The writer of a database: one transaction at a time. */
export class CommitQueue {
  readonly #connection: SqliteConnection;
  readonly #options: CommitQueueOptions;
  readonly #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;
  /** Resolves when nothing writes. */
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(connection: SqliteConnection, options: CommitQueueOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** How many writes wait for a transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Adds a write. The promise resolves when it is durable.
   * @throws ScimError `unavailable` after close, or when the database cannot be locked or written
   */
  submit<Result>(makeSteps: (transaction: SharedTransaction) => Steps<Outcome<Result>>): Promise<Result> {
    if (this.#closed) return Promise.reject(unavailable("The store is closed."));
    return new Promise<Result>((resolve, reject) => {
      const connection = this.#connection;
      this.#waiting.push({
        *run(transaction) {
          const { keep, result } = yield* runSteps(connection, makeSteps(transaction));
          return { keep, settle: () => resolve(result) };
        },
        reject,
      });
      this.#draining ??= this.#drain();
    });
  }

  /**
   * Runs what writes on another connection, when the transaction under way is done; no other begins meanwhile.
   * @throws ScimError `unavailable` after close
   */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(unavailable("The store is closed."));
    return this.#takeTurn(task);
  }

  /** Takes no more writes, and resolves when those that wait are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#turn;
  }

  async #drain(): Promise<void> {
    // What else arrives in this turn of the event loop shares the transaction.
    await nextTurn();
    while (this.#waiting.length > 0) {
      await this.#takeTurn(() => this.#writeBatch());
      await nextTurn();
    }
    this.#draining = null;
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, BATCH_WRITES);
    const [only, ...others] = batch;
    try {
      await this.#begin();
      if (only !== undefined && others.length === 0) await this.#commitOne(only);
      else await this.#commit(batch);
    } catch (error) {
      this.#abandon(batch, error);
    }
  }

  /** Runs what writes when what wrote before is done. */
  #takeTurn<Result>(task: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(task);
    this.#turn = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Takes the lock, waiting for other processes without holding the thread. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#options.busyTimeout;
    this.#options.beforeWrite?.();
    for (;;) {
      try {
        this.#connection.run(BEGIN);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await delay(1 + Math.random() * LOCK_RETRY);
    }
  }

  /** Without a savepoint SQLite keeps no copies of the pages that the write changes. */
  async #commitOne(write: WaitingWrite): Promise<void> {
    let settlement: Settlement;
    try {
      settlement = await this.#finish(write.run(new SharedTransaction()));
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#connection.run(ROLLBACK);
      write.reject(orUnavailable(error));
      return;
    }
    this.#connection.run(settlement.keep ? COMMIT : ROLLBACK);
    if (settlement.keep) this.#options.onCommit?.(1);
    settlement.settle();
  }

  async #commit(batch: readonly WaitingWrite[]): Promise<void> {
    const transaction = new SharedTransaction();
    const settlements: (() => void)[] = [];
    for (const write of batch) settlements.push(await this.#finish(this.#runOne(write, transaction)));
    this.#connection.run(COMMIT);
    this.#options.onCommit?.(batch.length);
    for (const settle of settlements) settle();
  }

  async #finish<Result>(steps: Generator<void, Result>): Promise<Result> {
    let step = steps.next();
    while (step.done !== true) {
      if (this.#options.pauses) await nextTurn();
      step = steps.next();
    }
    return step.value;
  }

  /** Runs one write in its savepoint; an error is its own unless it ended the transaction. */
  *#runOne(write: WaitingWrite, transaction: SharedTransaction): Generator<void, () => void> {
    this.#connection.run(SAVEPOINT);
    try {
      const { keep, settle } = yield* write.run(transaction);
      if (keep) transaction.kept();
      else this.#takeBack(transaction);
      this.#connection.run(RELEASE);
      return settle;
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#takeBack(transaction);
      this.#connection.run(RELEASE);
      return () => write.reject(orUnavailable(error));
    }
  }

  #takeBack(transaction: SharedTransaction): void {
    this.#connection.run(ROLLBACK_TO);
    transaction.takenBack();
  }

  #abandon(batch: readonly WaitingWrite[], error: unknown): void {
    const reason = unavailable(failureOf(error) ?? "The database could not be written.", error);
    for (const write of batch) write.reject(reason);
    this.#rollBack();
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run(ROLLBACK);
    } catch {
      // The writes know already. If the transaction is still open, the next one cannot begin and says so.
    }
  }
}

function* runSteps<Result>(connection: SqliteConnection, steps: Steps<Result>): Generator<void, Result> {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    if (step.value === PAUSE) {
      yield;
      step = steps.next(NO_ANSWER);
    } else {
      step = steps.next(answerAtOnce(step.value, (statement) => connection.run(statement)));
    }
  }
  return step.value;
}
