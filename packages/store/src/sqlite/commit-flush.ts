/**
 * Brings what was committed to the disk beside the thread of the requests, which would otherwise stand still for as long as the
 * disk takes. Until it is there, requests read the state before it, or wait where other processes have written since: nobody is
 * shown what a failure of the power may undo, and everybody what was acknowledged.
 * @module
 */
import type { Sql } from "../sql.ts";
import { numberOf } from "../steps.ts";
import { LOOK, type SqliteConnection } from "./connection.ts";
import { doubtful, type FlushedLog, type LogFlush, logFlushOf } from "./log-flush.ts";

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };

/** A number of the state that a connection reads: another one where others have written since. */
const STATE: Sql = { text: "PRAGMA data_version", params: [] };

/** What is flushed. */
export interface FlushedFile extends FlushedLog {
  /** Reads for requests; not in a transaction. */
  readonly reader: SqliteConnection;
}

/** What flushes a file beside; null where it has no write-ahead log, so that COMMIT has to. */
export function commitFlushOf(file: FlushedFile): CommitFlush | null {
  const log = logFlushOf(file);
  return log === null ? null : new CommitFlush(file, log);
}

/** The commits of a database file with a write-ahead log. One at a time is on its way to the disk. */
export class CommitFlush {
  readonly #file: FlushedFile;
  readonly #log: LogFlush;
  #flushing: Promise<void> | null = null;
  /** The state that the writer committed on last. */
  #base: number | null = null;
  /** The state that was brought to the disk when somebody asked for it last. */
  #seen: number | null = null;

  constructor(file: FlushedFile, log: LogFlush) {
    this.#file = file;
    this.#log = log;
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
    if (!this.#log.isDoubtful) return;
    // Until then the reader reads from the log.
    await this.settled();
    await this.#log.ready();
  }

  /**
   * Commits the transaction of the writer, once nothing is on its way. The promise inside resolves when it is on the disk.
   * @throws what committing throws, and ScimError `unavailable` where what was on its way could not be flushed; inside, the same of
   *   this transaction
   */
  async commit(): Promise<{ readonly flushed: Promise<void> }> {
    await this.settled();
    if (this.#log.isDoubtful) throw doubtful();
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
    const flushed = this.#log.flush().finally(() => {
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
    await this.#log.flush();
    this.#seen = state;
  }

  /** Resolves when nothing is on its way any more, nor being flushed for those who asked. */
  async close(): Promise<void> {
    await this.settled();
    await this.#log.close();
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
