/**
 * Brings what was committed to the disk beside the thread of the requests, which would otherwise stand still for as long as the
 * disk takes. Until it is there, requests read the state before it, or wait where other processes have written since: nobody is
 * shown what a failure of the power may undo, and everybody what was acknowledged.
 * @module
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import { type Sql, sql } from "../sql.ts";
import { numberOf, type Row } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { LOOK, type SqliteConnection } from "./connection.ts";
import { fileBeside } from "./files-beside.ts";

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };

/** A number of the state that a connection reads: another one where others have written since. */
const STATE: Sql = { text: "PRAGMA data_version", params: [] };

/** Moves all of the log into the database, flushes that, and cuts the log to nothing: not while somebody reads from it. */
const MOVE_ALL: Sql = { text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] };

/** Flushes the content of a file that is open. */
export type FlushFile = (descriptor: number) => Promise<void>;

const flushData: FlushFile = (descriptor) =>
  new Promise((resolve, reject) => {
    fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });

/** What is flushed. */
export interface FlushedFile {
  /** Path of the database file. */
  readonly path: string;
  /** Commits, and leaves the log as the system has it. */
  readonly writer: SqliteConnection;
  /** Reads for requests; not in a transaction. */
  readonly reader: SqliteConnection;
  /** Default: `fdatasync`. */
  readonly flush?: FlushFile;
}

/** What flushes a file beside; null where it has no write-ahead log, so that COMMIT has to. */
export function commitFlushOf(file: FlushedFile): CommitFlush | null {
  const [row] = file.writer.run(sql`PRAGMA journal_mode`).rows;
  return row?.["journal_mode"] === "wal" ? new CommitFlush(file) : null;
}

/** The commits of a database file with a write-ahead log. One at a time is on its way to the disk. */
export class CommitFlush {
  readonly #file: FlushedFile;
  /** Open from the beginning: the system tells of a fault whoever had the file open by then. */
  #log: number | null;
  /** What the system was asked to flush, and has not answered. */
  readonly #asked = new Set<Promise<void>>();
  #flushing: Promise<void> | null = null;
  /** The state that the writer committed on last. */
  #base: number | null = null;
  /** The state that was brought to the disk when somebody asked for it last. */
  #seen: number | null = null;
  /** Whether the system may have thrown away what it was to flush. */
  #isDoubtful = false;

  constructor(file: FlushedFile) {
    this.#file = file;
    file.writer.exec("PRAGMA synchronous = NORMAL");
    // SQLite makes the log when it reads.
    file.writer.run(LOOK);
    this.#log = openSync(fileBeside(file.path, "-wal"), "r+");
  }

  /** Whether something is on its way: the reader reads the state before it. */
  get isFlushing(): boolean {
    return this.#flushing !== null;
  }

  /**
   * Resolves when the reader reads what other processes have written. Where they wrote while something is on its way, that is when it
   * is on the disk: whoever was told that a write is done asks for it here, and finds it.
   */
  async caughtUp(): Promise<void> {
    if (this.isFlushing && this.#mayBeBehind()) await this.settled();
  }

  /** Resolves when what was committed is on the disk, or could not be flushed. */
  async settled(): Promise<void> {
    await this.#flushing?.catch(() => undefined);
  }

  /**
   * Makes sure that what comes behind an earlier commit can be kept.
   * @throws ScimError `unavailable` where something before it could not be flushed, and cannot be moved out of the log
   */
  async ready(): Promise<void> {
    if (!this.#isDoubtful) return;
    await this.settled();
    // The log may have a gap on the disk, though not in memory: nothing behind it would be found again. That it is moved is not
    // enough: while others read from it, it would be written on behind the gap.
    this.#moveAll();
    this.#isDoubtful = false;
  }

  /**
   * Commits the transaction of the writer, once nothing is on its way. The promise inside resolves when it is on the disk.
   * @throws what committing throws, and ScimError `unavailable` where what was on its way could not be flushed; inside, the same of
   *   this transaction
   */
  async commit(): Promise<{ readonly flushed: Promise<void> }> {
    await this.settled();
    if (this.#isDoubtful) throw unavailable(DOUBTFUL);
    const { writer, reader } = this.#file;
    // Nobody else writes until this is committed.
    this.#base = stateOf(writer);
    reader.run(BEGIN);
    try {
      reader.run(LOOK);
      writer.run(COMMIT);
    } catch (error) {
      this.#showAll();
      throw error;
    }
    const flushed = this.#flush().finally(() => {
      this.#flushing = null;
      this.#showAll();
    });
    this.#flushing = flushed;
    return { flushed };
  }

  /**
   * Brings to the disk what was read last, whichever process wrote it. Where nothing was written since it was asked last, it is there.
   * @throws ScimError `unavailable` where it could not be flushed
   */
  async flushSeen(): Promise<void> {
    const state = stateOf(this.#file.reader);
    if (state !== null && state === this.#seen) return;
    await this.settled();
    await this.ready();
    await this.#flush();
    this.#seen = state;
  }

  /** Resolves when nothing is on its way any more, nor being flushed for those who asked. */
  async close(): Promise<void> {
    await this.settled();
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
    if (this.#log === null) return;
    closeSync(this.#log);
    this.#log = null;
  }

  #flush(): Promise<void> {
    const log = this.#log;
    if (log === null) return Promise.reject(unavailable("The store is closed."));
    const flushed = this.#confirm(log).finally(() => this.#asked.delete(flushed));
    this.#asked.add(flushed);
    return flushed;
  }

  async #confirm(log: number): Promise<void> {
    const { flush = flushData } = this.#file;
    try {
      await flush(log);
      // The system tells a fault once: where another flush was told of it, this one says nothing of the same pages.
      if (this.#isDoubtful) throw new Error("Another flush failed meanwhile.");
    } catch (error) {
      this.#isDoubtful = true;
      throw unavailable(DOUBTFUL, error);
    }
  }

  #moveAll(): void {
    const { writer } = this.#file;
    if (writer.inTransaction) throw unavailable(DOUBTFUL);
    let row: Row | undefined;
    try {
      [row] = writer.run(MOVE_ALL).rows;
    } catch (error) {
      throw unavailable(DOUBTFUL, error);
    }
    if (row === undefined || numberOf(row, "busy") !== 0) throw unavailable(DOUBTFUL);
  }

  /** Whether others may have written since the writer committed: they have, where that cannot be told. */
  #mayBeBehind(): boolean {
    try {
      return stateOf(this.#file.writer) !== this.#base;
    } catch {
      return true;
    }
  }

  /** The reader reads what was committed last. */
  #showAll(): void {
    const { reader } = this.#file;
    if (reader.inTransaction) reader.run(COMMIT);
  }
}

function stateOf(connection: SqliteConnection): number | null {
  const [row] = connection.run(STATE).rows;
  return row === undefined ? null : numberOf(row, "data_version");
}

const DOUBTFUL =
  "The disk did not confirm what was written last: it may be there, or not. Look before you send it again.";
