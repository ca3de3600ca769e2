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

/** What makes a move worth its flushes to the disk, in writes: several MiB of log. */
const WORTH_MOVING = 500;

/** Pages of a log that is worth beginning anew (16 MiB): those that change often are moved once for many changes. */
const LONG_LOG = 4096;

/** Milliseconds after which a thread that has nothing to move ends. */
const IDLE_MS = 30_000;

/** What is moved, and how a move is brought to its end. */
export interface LogMoving {
  /** Path of the database file. */
  readonly path: string;
  /**
   * Moves what was written while a long log was moved, and so lets the next write begin the log anew: without writes
   * beside it, or it would never come to the end.
   */
  readonly moveRest: () => Promise<void>;
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

  /** Told of writes that were committed, begins to move them. */
  wrote(writes: number): void {
    this.#written += writes;
    if (this.#written < WORTH_MOVING || this.#moving !== null) return;
    this.#written = 0;
    clearTimeout(this.#idle);
    this.#moving = this.#move();
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
    const { path, moveRest } = this.#setting;
    const running = this.#thread?.isAlive === true ? this.#thread : null;
    const thread = running ?? new Reader({ path, lockWait: 0, writes: true });
    this.#thread = thread;
    if ((await pagesMoved(thread)) < LONG_LOG) return;
    // What was written meanwhile takes less time, in which less is written.
    await pagesMoved(thread);
    await moveRest();
  }
}

/** Moves what is in the log. Resolves to how many pages stand in it, moved ones among them. */
async function pagesMoved(thread: Reader): Promise<number> {
  const reply = await thread.ask({ kind: "run", statement: MOVE });
  const [row] = reply.kind === "ran" ? reply.answer.rows : [];
  return row === undefined ? 0 : numberOf(row, "log");
}
