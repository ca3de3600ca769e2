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

/** Resources that one step looks at where it asks no more than conditions of the database. */
export const CONDITION_WINDOW = 2000;

/** Conditions of so many resources that take no longer than their rows take to be read: some milliseconds. */
const FEW_CONDITIONS = 10;

/** What a scan reads with. */
export interface ScanReading {
  readonly executor: Executor;
  readonly reader: SnapshotReader;
  readonly signal: AbortSignal | undefined;
  /** How many conditions are asked of each resource. */
  readonly conditions: number;
}

/** Reads for one scan. */
export class ScanReader {
  readonly #reading: ScanReading;

  constructor(reading: ScanReading) {
    this.#reading = reading;
  }

  /** How many resources one step should look at. `readsRows`: whether it looks into them. */
  window(readsRows: boolean): number {
    const { reader, conditions } = this.#reading;
    if (reader.sift !== undefined) return readsRows ? THREAD_WINDOW : CONDITION_WINDOW;
    return readsRows || conditions > FEW_CONDITIONS ? ROW_WINDOW : CONDITION_WINDOW;
  }

  /** The same where the rows come back, to be looked into by whoever asked. */
  get givenWindow(): number {
    return ROW_WINDOW;
  }

  /** Runs steps. */
  run<Result>(steps: Steps<Result>): Promise<Result> {
    return this.#reading.reader.run(steps);
  }

  /** Runs a query for rows of resources, and sifts them. */
  async sift(query: Sql, sieve: Sieve): Promise<Sifted> {
    const { reader } = this.#reading;
    if (reader.sift !== undefined) return reader.sift(query, sieve);
    return siftRows(await reader.run(rowsOf(query)), sieve);
  }

  /** Lets other work go first; where the scan has been aborted, it ends here. */
  async pause(): Promise<void> {
    const { executor, signal } = this.#reading;
    await executor.pause();
    signal?.throwIfAborted();
  }
}

function* rowsOf(query: Sql): Steps<readonly Row[]> {
  const { rows } = yield query;
  return rows;
}
