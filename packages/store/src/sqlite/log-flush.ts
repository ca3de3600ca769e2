/**
 * Brings the write-ahead log of a database file to the disk, beside the thread that commits, and knows when that may not have
 * come about.
 * @module
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import type { ScimError } from "@scim/schemas";
import { type Sql, sql } from "../sql.ts";
import { numberOf, type Row } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { LOOK, type SqliteConnection } from "./connection.ts";
import { fileBeside } from "./files-beside.ts";

/** Moves all of the log into the database, flushes that, and cuts the log to nothing: not while somebody reads from it. */
const MOVE_ALL: Sql = { text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] };

/** Flushes the content of a file that is open. */
export type FlushFile = (descriptor: number) => Promise<void>;

const flushData: FlushFile = (descriptor) =>
  new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });

/** A log that is flushed. */
export interface FlushedLog {
  /** Path of the database file. */
  readonly path: string;
  /** Commits, and leaves the log as the system has it. */
  readonly writer: SqliteConnection;
  /** Default: `fdatasync`. */
  readonly flush?: FlushFile;
}

/** What flushes the log of a file beside; null where it has no write-ahead log, so that COMMIT has to flush. */
export function logFlushOf(log: FlushedLog): LogFlush | null {
  const [row] = log.writer.run(sql`PRAGMA journal_mode`).rows;
  return row?.["journal_mode"] === "wal" ? new LogFlush(log) : null;
}

/** The log of a database file. */
export class LogFlush {
  readonly #log: FlushedLog;
  /** Open from the beginning: the system tells of a fault whoever had the file open by then. */
  #descriptor: number | null;
  /** What the system was asked to flush, and has not answered. */
  readonly #asked = new Set<Promise<void>>();
  #isDoubtful = false;

  constructor(log: FlushedLog) {
    this.#log = log;
    log.writer.exec("PRAGMA synchronous = NORMAL");
    // SQLite makes the log when it reads.
    log.writer.run(LOOK);
    this.#descriptor = openSync(fileBeside(log.path, "-wal"), "r+");
  }

  /** Whether the system may have thrown away what it was to flush. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /**
   * Makes sure that what comes behind an earlier commit can be kept.
   * @throws ScimError `unavailable` where something before it could not be flushed, and cannot be moved out of the log
   */
  async ready(): Promise<void> {
    if (!this.#isDoubtful) return;
    await Promise.allSettled(this.#asked);
    // The log may have a gap on the disk, though not in memory: nothing behind it would be found again. That it is moved is not
    // enough: while others read from it, it would be written on behind the gap.
    this.#moveAll();
    this.#isDoubtful = false;
  }

  /**
   * Resolves when what is in the log now is on the disk.
   * @throws ScimError `unavailable` where it could not be flushed, or something before it
   */
  flush(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === null) return Promise.reject(unavailable("The store is closed."));
    const flushed = this.#confirm(descriptor).finally(() => this.#asked.delete(flushed));
    this.#asked.add(flushed);
    return flushed;
  }

  /** Resolves when nothing is being flushed any more, and lets go of the log. */
  async close(): Promise<void> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
    if (this.#descriptor === null) return;
    closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  async #confirm(descriptor: number): Promise<void> {
    const { flush = flushData } = this.#log;
    try {
      await flush(descriptor);
      // The system tells a fault once: where another flush was told of it, this one says nothing of the same pages.
      if (this.#isDoubtful) throw new Error("Another flush failed meanwhile.");
    } catch (error) {
      this.#isDoubtful = true;
      throw doubtful(error);
    }
  }

  #moveAll(): void {
    const { writer } = this.#log;
    if (writer.inTransaction) throw doubtful();
    let row: Row | undefined;
    try {
      [row] = writer.run(MOVE_ALL).rows;
    } catch (error) {
      throw doubtful(error);
    }
    if (row === undefined || numberOf(row, "busy") !== 0) throw doubtful();
  }
}

/** What is said of a write that may be lost. */
export function doubtful(cause?: unknown): ScimError {
  return unavailable(
    "The disk did not confirm what was written last: it may be there, or not. Look before you send it again.",
    cause,
  );
}
