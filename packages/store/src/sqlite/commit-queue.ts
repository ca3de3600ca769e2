/**
 * Group commit: all writes that wait share one transaction, and so one flush to the disk. One that fails takes nothing
 * from the others. What arrives while something is on its way to the disk shares the next transaction.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { ScimError } from "@scim/schemas";
import type { FreshEvents } from "../events/fresh-events.ts";
import type { CommitListener } from "../load.ts";
import type { Sql } from "../sql.ts";
import type { Outcome, Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import {
  type OpenTransaction,
  runAlone,
  runApart,
  runTogether,
  type Settlement,
  type WaitingWrite,
  waitingWrite,
} from "./batch.ts";
import type { CommitFlush } from "./commit-flush.ts";
import type { SqliteConnection } from "./connection.ts";
import { failureOf, orUnavailable } from "./failures.ts";
import { type LockWaiting, takeLock } from "./take-lock.ts";
import type { SharedTransaction } from "./transaction.ts";

/** Writes that share a transaction at most, so that a flood of them does not hold up reads for long. */
const BATCH_WRITES = 256;

/** Behind a batch in which a write failed, as many are run apart at once: such writes seldom come alone. */
const CAREFUL_BATCHES = 16;

/** Settings of a queue. */
export interface CommitQueueOptions extends LockWaiting {
  /** Whether a long write may let reads go first. Not where they share its connection. */
  readonly pauses: boolean;
  /** Brings what is committed to the disk. Default: COMMIT itself does. */
  readonly flush?: CommitFlush | null | undefined;
  /** Called before each transaction. */
  readonly beforeWrite?: (() => void) | undefined;
  /** Remembers the events of transactions that were committed. Default: nothing does. */
  readonly freshEvents?: FreshEvents | null | undefined;
  /** Told of each transaction that was committed, and of how many writes shared it. */
  readonly onCommit?: CommitListener | undefined;
}

const BEGIN: Sql = { text: "BEGIN IMMEDIATE", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };
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
  readonly #open: OpenTransaction;
  readonly #flush: CommitFlush | null;
  /** Batches that are still to be run apart. */
  #careful = 0;

  constructor(connection: SqliteConnection, options: CommitQueueOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#flush = options.flush ?? null;
    this.#open = { connection, pauses: options.pauses, freshEvents: options.freshEvents ?? null };
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
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push(waitingWrite(this.#connection, makeSteps, { resolve, reject }));
    this.#draining ??= this.#drain();
    return promise;
  }

  /**
   * Runs what writes on another connection, when the transaction under way is done; no other begins meanwhile.
   * @throws ScimError `unavailable` after close, and where what was written before it could not be flushed
   */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closed) return Promise.reject(unavailable("The store is closed."));
    return this.#takeTurn(async () => {
      await this.#flush?.settled();
      await this.#flush?.ready();
      return task();
    });
  }

  /** Takes no more writes, and resolves when those that wait are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#turn;
    await this.#flush?.close();
  }

  async #drain(): Promise<void> {
    // What else arrives in this turn of the event loop shares the transaction.
    await nextTurn();
    while (this.#waiting.length > 0) {
      // What arrives until then shares the next transaction.
      await this.#flush?.settled();
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
      else await this.#commitAll(batch);
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
    await this.#flush?.ready();
    this.#options.beforeWrite?.();
    await takeLock(() => void this.#connection.run(BEGIN), this.#options);
  }

  /** Without a savepoint SQLite keeps no copies of the pages that the write changes. */
  async #commitOne(write: WaitingWrite): Promise<void> {
    let settlement: Settlement;
    try {
      settlement = await runAlone(this.#open, write);
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.run(ROLLBACK);
      write.reject(orUnavailable(error));
      return;
    }
    if (settlement.keep) await this.#commit([write], settlement.settle);
    else await this.#takeBack(settlement.settle);
  }

  /** Commits what writes share. They are told when it is on the disk. */
  async #commit(writes: readonly WaitingWrite[], settle: () => void): Promise<void> {
    const flush = this.#flush;
    if (flush === null) {
      this.#connection.run(COMMIT);
      this.#options.onCommit?.(writes.length);
      settle();
      return;
    }
    const { flushed } = await flush.commit();
    this.#options.onCommit?.(writes.length);
    flushed.then(settle, (error: unknown) => {
      for (const write of writes) write.reject(error);
    });
  }

  /** Takes back a write that found no reason to be kept: the reason may be on its way to the disk. */
  async #takeBack(settle: () => void): Promise<void> {
    this.#connection.run(ROLLBACK);
    await this.#flush?.settled();
    settle();
  }

  async #commitAll(batch: readonly WaitingWrite[]): Promise<void> {
    let settlements: readonly (() => void)[];
    try {
      settlements = (await this.#runTogether(batch)) ?? (await runApart(this.#open, batch));
    } catch (error) {
      const isWritable = !(orUnavailable(error) instanceof ScimError);
      if (this.#connection.inTransaction || !isWritable) throw error;
      // A statement of an application has ended the transaction, and with it what the others had written.
      await this.#commitEach(batch);
      return;
    }
    await this.#commit(batch, () => {
      for (const settle of settlements) settle();
    });
  }

  /** Runs each write in a transaction of its own, which nobody ends but itself. */
  async #commitEach(batch: readonly WaitingWrite[]): Promise<void> {
    for (const write of batch) {
      try {
        await this.#begin();
        await this.#commitOne(write);
      } catch (error) {
        this.#abandon([write], error);
      }
    }
  }

  /** Null where the writes are to be run apart, in the transaction that is open then. */
  async #runTogether(batch: readonly WaitingWrite[]): Promise<readonly (() => void)[] | null> {
    if (this.#careful > 0) {
      this.#careful -= 1;
      return null;
    }
    const settlements = await runTogether(this.#open, batch);
    if (settlements !== null) return settlements;
    this.#careful = CAREFUL_BATCHES;
    this.#connection.run(ROLLBACK);
    await this.#begin();
    return null;
  }

  #abandon(batch: readonly WaitingWrite[], error: unknown): void {
    const reason =
      error instanceof ScimError
        ? error
        : unavailable(failureOf(error) ?? "The database could not be written.", error);
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
