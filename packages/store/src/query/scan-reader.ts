/**
 * What scans read with: one state of the database beside the requests, sifted where it is read or here.
 * @module
 */
import type { Sql } from "../sql.ts";
import type { Executor, Row, SnapshotReader, Steps } from "../steps.ts";
import { siftRows, type Sieve, type Sifted } from "./sift.ts";

/** Resources that one step looks at whose rows a thread reads: some hundredths of a second. */
const THREAD_WINDOW = 2000;

/** Resources that one step looks at where this thread reads their rows: a millisecond or two. */
const ROW_WINDOW = 200;

/** Resources that one step looks at where it tests no more than a condition. */
const CONDITION_WINDOW = 2000;

/** Reads for one scan. */
export class ScanReader {
  readonly #reader: SnapshotReader;
  readonly #executor: Executor;
  readonly #signal: AbortSignal | undefined;

  constructor(executor: Executor, reader: SnapshotReader, signal: AbortSignal | undefined) {
    this.#executor = executor;
    this.#reader = reader;
    this.#signal = signal;
  }

  /** How many resources one step should look at. `readsRows`: whether it looks into them. */
  window(readsRows: boolean): number {
    if (!readsRows) return CONDITION_WINDOW;
    return this.#reader.sift === undefined ? ROW_WINDOW : THREAD_WINDOW;
  }

  /** The same where the rows come back, to be looked into by whoever asked. */
  get givenWindow(): number {
    return ROW_WINDOW;
  }

  /** Runs steps. */
  run<Result>(steps: Steps<Result>): Promise<Result> {
    return this.#reader.run(steps);
  }

  /** Runs a query for rows of resources, and sifts them. */
  async sift(query: Sql, sieve: Sieve): Promise<Sifted> {
    if (this.#reader.sift !== undefined) return this.#reader.sift(query, sieve);
    return siftRows(await this.#reader.run(rowsOf(query)), sieve);
  }

  /** Lets other work go first; where the scan has been aborted, it ends here. */
  async pause(): Promise<void> {
    await this.#executor.pause();
    this.#signal?.throwIfAborted();
  }
}

function* rowsOf(query: Sql): Steps<readonly Row[]> {
  const { rows } = yield query;
  return rows;
}
