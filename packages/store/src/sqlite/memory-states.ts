/**
 * States of a database in memory, which belongs to its connection: one that is still read when something is about to
 * be written is copied first.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "../sql.ts";
import { answerAtOnce, NO_ANSWER, type SnapshotReader, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { SqliteConnection } from "./connection.ts";

/** The open states of a database in memory. */
export class MemoryStates {
  readonly #database: SqliteConnection;
  readonly #open = new Set<MemoryState>();

  constructor(database: SqliteConnection) {
    this.#database = database;
  }

  /** Opens the present one. */
  open(signal: AbortSignal | undefined): SnapshotReader {
    const state = new MemoryState(this.#database, signal, (closed) => this.#open.delete(closed));
    this.#open.add(state);
    return state;
  }

  /** Keeps those that are open as they are: to be called before anything is written. */
  keep(): void {
    for (const state of this.#open) state.copy();
  }
}

class MemoryState implements SnapshotReader {
  readonly #database: SqliteConnection;
  readonly #signal: AbortSignal | undefined;
  readonly #onClose: (state: MemoryState) => void;
  #copy: SqliteConnection | null = null;

  constructor(
    database: SqliteConnection,
    signal: AbortSignal | undefined,
    onClose: (state: MemoryState) => void,
  ) {
    this.#database = database;
    this.#signal = signal;
    this.#onClose = onClose;
  }

  async run<Result>(steps: Steps<Result>): Promise<Result> {
    this.#signal?.throwIfAborted();
    const connection = this.#copy ?? this.#database;
    if (!connection.isOpen) throw unavailable("The store is closed.");
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) {
      step = steps.next(answerAtOnce(step.value, (statement) => connection.run(statement)));
    }
    return step.value;
  }

  /** The file has no name any more when it is read: it goes with the connection. */
  copy(): void {
    if (this.#copy !== null) return;
    const folder = mkdtempSync(join(tmpdir(), "scim-state-"));
    try {
      const path = join(folder, "state.db");
      this.#database.run(sql`VACUUM INTO ${path}`);
      this.#copy = new SqliteConnection(path, { lockWait: 0, readOnly: true });
      // A connection opens its file on the first read.
      this.#copy.run(sql`SELECT 1 FROM tenants LIMIT 1`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  async close(): Promise<void> {
    this.#onClose(this);
    if (this.#copy?.isOpen === true) this.#copy.close();
  }
}
