/**
 * Moves the write-ahead log into the database on a thread of its own, while another writes on: whoever writes then has
 * little left to move when the log has become long, or nothing, and does not wait for the disk twice.
 * @module
 */
import { unavailable } from "../unavailable.ts";
import { Reader } from "./reader.ts";
import type { ThreadRequest } from "./thread-messages.ts";

/** Waits for nobody: what cannot be moved now is moved later. */
const MOVE: ThreadRequest = {
  kind: "run",
  statement: { text: "PRAGMA wal_checkpoint(PASSIVE)", params: [] },
};

/** New resources that make a move worth its flushes to the disk. */
const WORTH_MOVING = 4000;

/** Moves the log of a database file. The thread is started when there is enough to move. */
export class LogMover {
  readonly #path: string;
  #thread: Reader | null = null;
  #written = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Told of new resources that were committed, begins to move them. A move that fails is left to the next. */
  wrote(resources: number): void {
    this.#written += resources;
    if (this.#written < WORTH_MOVING || this.#thread?.isBusy === true) return;
    this.#written = 0;
    this.#thread ??= new Reader({ path: this.#path, lockWait: 0, writes: true });
    this.#thread.ask(MOVE).catch(() => undefined);
  }

  /** Resolves when nothing is moved any more. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.settled();
    await thread?.end(unavailable("The store is closed."));
  }
}
