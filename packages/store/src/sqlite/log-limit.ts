/**
 * Keeps the write-ahead log of a database file short. SQLite begins it anew only at a moment in which nobody reads what is in
 * it: where requests read without pause there is none, the log would grow until the disk is full, and each read would look
 * through more of it.
 * @module
 */
import { stat } from "node:fs/promises";
import { emptyLog } from "./empty-log.ts";
import type { ReaderPool } from "./reader-pool.ts";

/** Bytes of a log that is left as it is (128 MiB): four times what is moved into the database at once. */
const MOST_BYTES = 134_217_728;

/** Milliseconds between two looks. */
const LOOK_MS = 10_000;

/** Looks that are left out where somebody read for too long: who reads and writes waits while a log is emptied. */
const LEFT_OUT = 5;

/** What a limit is kept with. */
export interface LogLimitOptions {
  readonly path: string;
  /** Those of this process who read for long begin when the log is empty. */
  readonly readers: Pick<ReaderPool, "holdBack">;
  /** Default 128 MiB. */
  readonly mostBytes?: number;
  /** Milliseconds between two looks. Default ten seconds. */
  readonly look?: number;
}

/** Looks at the log now and then, and empties one that has become long. */
export class LogLimit {
  readonly #path: string;
  readonly #readers: LogLimitOptions["readers"];
  readonly #mostBytes: number;
  readonly #timer: NodeJS.Timeout;
  #emptying: Promise<void> | null = null;
  #leftOut = 0;

  constructor({ path, readers, mostBytes = MOST_BYTES, look = LOOK_MS }: LogLimitOptions) {
    this.#path = path;
    this.#readers = readers;
    this.#mostBytes = mostBytes;
    this.#timer = setInterval(() => this.#look(), look).unref();
  }

  /** Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#emptying;
  }

  #look(): void {
    this.#leftOut -= 1;
    if (this.#leftOut >= 0) return;
    this.#emptying ??= this.#keep().finally(() => {
      this.#emptying = null;
    });
  }

  /** What cannot be done now, since the log is gone, the disk is full or others read on, is done at a later look. */
  async #keep(): Promise<void> {
    try {
      const { size } = await stat(`${this.#path}-wal`);
      if (size <= this.#mostBytes) return;
      const isEmpty = await this.#readers.holdBack(() => emptyLog(this.#path));
      this.#leftOut = isEmpty ? 0 : LEFT_OUT;
    } catch {
      // A database whose log cannot be moved says so to whoever writes.
    }
  }
}
