/**
 * Keeps the write-ahead log of a database file short. SQLite begins it anew only at a moment in which nobody reads what is in
 * it: where requests read without pause there is none, the log would grow until the disk is full, and each read would look
 * through more of it.
 * @module
 */
import { stat } from "node:fs/promises";
import { unavailable } from "../unavailable.ts";
import { emptyLog, type LogEmptying } from "./empty-log.ts";
import { fileBeside } from "./files-beside.ts";
import type { ReaderPool } from "./reader-pool.ts";

/** Bytes of a log that is left as it is (128 MiB): several times what it has when it is begun anew. */
const MOST_BYTES = 134_217_728;

/** Milliseconds between two looks. */
const LOOK_MS = 10_000;

/** Looks that are left out where somebody read for too long: who reads and writes waits while a log is emptied. */
const LEFT_OUT = 5;

/** What a log is kept short with. */
export interface LogKeeping extends LogEmptying {
  /** Those of this process who read for long begin when the log is empty. */
  readonly readers: Pick<ReaderPool, "holdBack">;
  /** Bytes of a log that is left as it is. Default 128 MiB. */
  readonly mostBytes?: number;
  /** Milliseconds between two looks. Default ten seconds. */
  readonly look?: number;
}

/** Empties the log of a database file: one that has become long, and any when it is asked to. */
export class LogKeeper {
  readonly #log: LogEmptying;
  readonly #readers: LogKeeping["readers"];
  readonly #mostBytes: number;
  readonly #timer: NodeJS.Timeout;
  /** Resolves when what is under way, and waits, has been done. */
  #last: Promise<unknown> = Promise.resolve();
  #looking = false;
  #leftOut = 0;
  #closed = false;

  constructor({ path, holders, readers, mostBytes = MOST_BYTES, look = LOOK_MS }: LogKeeping) {
    this.#log = { path, holders };
    this.#readers = readers;
    this.#mostBytes = mostBytes;
    this.#timer = setInterval(() => void this.#look(), look).unref();
  }

  /**
   * Empties the log. Resolves to false where somebody reads an older state for too long: then it is to be tried again.
   * @throws ThreadError what the database said; ScimError `unavailable` after close
   */
  empty(): Promise<boolean> {
    if (this.#closed) return Promise.reject(unavailable("The store is closed."));
    const emptied = this.#last.then(() => this.#readers.holdBack(() => emptyLog(this.#log)));
    this.#last = emptied.catch(() => undefined);
    return emptied;
  }

  /** Empties it no more, and resolves when nothing is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#last;
  }

  /** What cannot be done now, since the log is gone, the disk is full or others read on, is done at a later look. */
  async #look(): Promise<void> {
    if (this.#looking) return;
    if (this.#leftOut > 0) {
      this.#leftOut -= 1;
      return;
    }
    this.#looking = true;
    try {
      const { size } = await stat(fileBeside(this.#log.path, "-wal"));
      if (size > this.#mostBytes && !(await this.empty())) this.#leftOut = LEFT_OUT;
    } catch {
      // A database whose log cannot be moved says so to whoever writes.
    }
    this.#looking = false;
  }
}
