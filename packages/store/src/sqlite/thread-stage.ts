/**
 * A stage on a thread of its own, in tables that are the thread's alone: nothing of it is written to the database file
 * before the write that takes it over, and it goes with the thread, however that ends.
 * @module
 */
import type { Sql } from "../sql.ts";
import {
  type Answer,
  isBatch,
  isUnmet,
  NO_ANSWER,
  numberOf,
  type Outcome,
  PAUSE,
  type Row,
  type StagePlace,
  type Steps,
  type WriteTransaction,
} from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { CommitQueue } from "./commit-queue.ts";
import { CHANGED_ROWS } from "./connection.ts";
import { isUnwritten, orUnavailable } from "./failures.ts";
import type { LockHolders } from "./lock-holders.ts";
import type { LogMover } from "./log-mover.ts";
import { Reader } from "./reader.ts";
import { takeLock } from "./take-lock.ts";
import { SharedTransaction } from "./transaction.ts";

/**
 * Page cache of the write, in KiB (128 MiB); filled on use. Who is found by a long collection stands all over an index: pages of it
 * that have no place in the cache go to the log and come back while all other writes wait.
 */
const PAGE_CACHE = 131_072;

/** They stand before those of the database, which have the same names and columns. */
const TABLES: readonly string[] = [
  `PRAGMA cache_size = -${PAGE_CACHE}`,
  "PRAGMA temp_store = FILE",
  "PRAGMA temp.cache_size = -65536",
  `CREATE TEMP TABLE reference_stages (
    tenant TEXT NOT NULL, stage TEXT NOT NULL, created TEXT NOT NULL, PRIMARY KEY (tenant, stage)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TEMP TABLE staged_references (
    tenant TEXT NOT NULL, stage TEXT NOT NULL, path TEXT NOT NULL, position INTEGER NOT NULL,
    value TEXT NOT NULL, rest TEXT NOT NULL, settled TEXT, PRIMARY KEY (tenant, stage, path, position)
  ) STRICT, WITHOUT ROWID`,
  "CREATE UNIQUE INDEX temp.staged_references_value ON staged_references (tenant, value, stage, path)",
];

const BEGIN: Sql = { text: "BEGIN IMMEDIATE", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };
const ROLLBACK: Sql = { text: "ROLLBACK", params: [] };

/** What a stage works on. */
export interface StageSettings {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds that its write waits for other processes. */
  readonly busyTimeout: number;
  readonly queue: CommitQueue;
  readonly holders: LockHolders;
  readonly logMover: Pick<LogMover, "wrote">;
  readonly signal: AbortSignal | undefined;
}

/** Opens a stage. */
export async function openThreadStage(settings: StageSettings): Promise<StagePlace> {
  const { path, busyTimeout } = settings;
  const stage = new ThreadStage(new Reader({ path, lockWait: busyTimeout, writes: true }), settings);
  try {
    await stage.prepare();
  } catch (error) {
    await stage.close();
    throw error;
  }
  return stage;
}

/** SQLite does not tell which of the files it was. */
const UNWRITTEN =
  "The disk of the database, or that of temporary files (TMPDIR, else /var/tmp), is full or fails. Try again.";

class ThreadStage implements StagePlace {
  readonly #thread: Reader;
  readonly #settings: StageSettings;

  constructor(thread: Reader, settings: StageSettings) {
    this.#thread = thread;
    this.#settings = settings;
  }

  async prepare(): Promise<void> {
    for (const text of TABLES) await this.#run({ text, params: [] });
  }

  async run<Result>(makeSteps: () => Steps<Result>): Promise<Result> {
    return this.#steps(makeSteps());
  }

  /** The queue lets no other write of this process begin meanwhile, so that none waits for the lock. */
  write<Result>(makeSteps: (transaction: WriteTransaction) => Steps<Outcome<Result>>): Promise<Result> {
    return this.#settings.queue.alone(async () => {
      await this.#begin();
      const release = this.#settings.holders.hold();
      try {
        const transaction = new SharedTransaction(null);
        const { keep, result } = await this.#steps(makeSteps(transaction));
        transaction.kept();
        if (keep) for (const statement of transaction.counts()) await this.#run(statement);
        const { rows } = await this.#run(CHANGED_ROWS);
        await this.#run(keep ? COMMIT : ROLLBACK);
        if (keep) this.#tellMover(rows);
        return result;
      } catch (error) {
        await this.#ask(ROLLBACK).catch(() => undefined);
        throw error;
      } finally {
        release();
      }
    });
  }

  async close(): Promise<void> {
    await this.#thread.end(unavailable("The stage is closed."));
  }

  /** What it has staged counts as well: what is taken over is as much again. */
  #tellMover([changed]: readonly Row[]): void {
    if (changed !== undefined) this.#settings.logMover.wrote(numberOf(changed, "n"));
  }

  /** Waits for other processes, without the thread held. */
  async #begin(): Promise<void> {
    try {
      await takeLock(async () => void (await this.#ask(BEGIN)), this.#settings);
    } catch (error) {
      throw orUnavailable(error);
    }
  }

  async #steps<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) step = steps.next(await this.#answer(step.value));
    return step.value;
  }

  async #answer(step: Parameters<typeof isBatch>[0] | typeof PAUSE): Promise<Answer> {
    if (step === PAUSE) return NO_ANSWER;
    if (!isBatch(step)) return this.#run(step);
    let changes = 0;
    for (const [index, each] of step.batch.entries()) {
      const answer = await this.#run(each.statement);
      if (isUnmet(each, answer)) return { rows: [], changes, unmet: index };
      changes += answer.changes;
    }
    return { rows: [], changes };
  }

  async #run(statement: Sql): Promise<Answer> {
    this.#settings.signal?.throwIfAborted();
    try {
      return await this.#ask(statement);
    } catch (error) {
      throw isUnwritten(error) ? unavailable(UNWRITTEN, error) : orUnavailable(error);
    }
  }

  async #ask(statement: Sql): Promise<Answer> {
    const reply = await this.#thread.ask({ kind: "run", statement });
    if (reply.kind !== "ran") throw new TypeError("The thread answered something else");
    return reply.answer;
  }
}
