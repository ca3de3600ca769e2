/**
 * What an open store is busy with, for metrics.
 * @module
 */

/** What one process is busy with now. */
export interface StoreLoad {
  /** Queries that go through resources: how many do, and how many wait for their turn. */
  readonly scans: { readonly running: number; readonly waiting: number };
  /** Writes that wait for a transaction (SQLite), or requests that wait for a session (PostgreSQL). */
  readonly waiting: number;
  /** Sessions to PostgreSQL; null on SQLite. */
  readonly sessions: { readonly open: number; readonly idle: number } | null;
}

/** Told of each transaction that was committed, and of how many writes shared it. It must be quick, and not throw. */
export type CommitListener = (writes: number) => void;

/** Those who are told of commits. */
export class CommitListeners {
  readonly #listeners = new Set<CommitListener>();

  /** Adds one. Returns what takes it away. */
  add(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Tells all of them. */
  readonly tell: CommitListener = (writes) => {
    for (const listener of this.#listeners) listener(writes);
  };
}
