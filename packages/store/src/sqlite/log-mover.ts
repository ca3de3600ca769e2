/**
 * Moves the write-ahead log into the database on a thread of its own, while others write on: whoever writes then has
 * little left to move when the log has become long, or nothing, and does not wait for the disk twice.
 * @module
 */
import { numberOf } from "../steps.ts";
import type { Sql } from "../sql.ts";
import { unavailable } from "../unavailable.ts";
import { Reader } from "./reader.ts";

/** Waits for nobody: what cannot be moved now is moved later. */
export const MOVE: Sql = { text: "PRAGMA wal_checkpoint(PASSIVE)", params: [] };

/** Changed rows that make a move worth its flushes to the disk: those of some 500 Users, and some 12 MiB of log. */
const WORTH_MOVING = 5000;

/** Pages of a log that is worth beginning anew (16 MiB): those that change often are moved once for many changes. */
const LONG_LOG = 4096;

/**
 * Pages that older states may keep in a log whose rest is moved all the same: once nobody reads those any more, it takes no more
 * than milliseconds.
 */
const SHORT_REST = 1000;

/** Milliseconds after which a thread that has nothing to move ends. */
const IDLE_MS = 30_000;

/** What is moved, and how a move is brought to its end. */
export interface LogMoving {
  /** Path of the database file. */
  readonly path: string;
  /**
   * Does work while nobody of this process writes: what was written while a long log was moved is moved then, so that the next
   * write begins the log anew; with writes beside it, that would never come to the end. Not called where older
   * states, which somebody reads, keep much of the log: all of that might then be moved at once.
   */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
}

/** Moves the log of a database file. The thread is started when there is enough to move. */
export class LogMover {
  readonly #setting: LogMoving;
  #thread: Reader | null = null;
  #written = 0;
  #moving: Promise<void> | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(setting: LogMoving) {
    this.#setting = setting;
  }

  /** Whether the thread is there. */
  get isRunning(): boolean {
    return this.#thread?.isAlive === true;
  }

  /** Told how many rows were changed by what was committed, begins to move it. */
  wrote(rows: number): void {
    this.#written += rows;
    if (this.#written < WORTH_MOVING || this.#moving !== null) return;
    this.#written = 0;
    clearTimeout(this.#idle);
    this.#moving = this.#move();
  }

  /** Does what moves the log itself, as only one at a time may: nothing is moved meanwhile. */
  async apart<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#moving !== null) await this.#moving;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#moving = promise;
    try {
      return await work();
    } finally {
      this.#moving = null;
      resolve();
    }
  }

  /** Resolves when nothing is being moved. */
  async settled(): Promise<void> {
    await this.#moving;
  }

  /** Ends the thread when nothing is being moved. */
  async close(): Promise<void> {
    await this.settled();
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end(unavailable("The log is not moved any more."));
  }

  async #move(): Promise<void> {
    try {
      await this.#moveAll();
    } catch {
      // What is not moved now is moved the next time.
    }
    this.#moving = null;
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
  }

  async #moveAll(): Promise<void> {
    const { path, alone } = this.#setting;
    const running = this.#thread?.isAlive === true ? this.#thread : null;
    const thread = running ?? new Reader({ path, lockWait: 0, writes: true });
    this.#thread = thread;
    if ((await moved(thread)).pages < LONG_LOG) return;
    // What was written meanwhile takes less time, in which less is written.
    const { rest } = await moved(thread);
    // A long write may come first: however much it leaves in the log, the thread of the requests moves nothing of it.
    if (rest <= SHORT_REST) await alone(async () => void (await moved(thread)));
  }
}

/** What a move came to. */
interface Moved {
  /** Pages in the log. */
  readonly pages: number;
  /** Those of them that could not be moved, since somebody reads the state before them. */
  readonly rest: number;
}

async function moved(thread: Reader): Promise<Moved> {
  const reply = await thread.ask({ kind: "run", statement: MOVE });
  const [row] = reply.kind === "ran" ? reply.answer.rows : [];
  if (row === undefined) return { pages: 0, rest: 0 };
  const pages = numberOf(row, "log");
  return { pages, rest: pages - numberOf(row, "checkpointed") };
}
