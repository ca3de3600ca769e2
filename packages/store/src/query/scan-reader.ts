/**
 * What scans read with: one state of the database beside the requests, sifted where it is read or here.
 * @module
 */
import type { Sql } from "../sql.ts";
import type { Executor, Row, SnapshotReader, Steps } from "../steps.ts";
import { NOTHING_SIFTED, siftRows, type Sieve, type Sifted } from "./sift.ts";

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
  /** Whether all that the reader runs sees one state; else each run sees its own. */
  readonly oneState: boolean;
  readonly signal: AbortSignal | undefined;
  /** How many conditions are asked of each resource. */
  readonly conditions: number;
}

/** A query for rows of resources, and what they are sifted by. */
export interface SiftedQuery {
  readonly query: Sql;
  readonly sieve: Sieve;
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

  /** Whether what it reads last is of the state in which it found it: else it may have changed in between. */
  get oneState(): boolean {
    return this.#reading.oneState;
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

  /** Sifts what steps find, in the state in which they find it. `queryOf`: null where there is nothing to sift. */
  async siftFound<Found>(
    steps: Steps<Found>,
    queryOf: (found: Found) => SiftedQuery | null,
  ): Promise<readonly [Found, Sifted]> {
    const { reader } = this.#reading;
    if (reader.sift === undefined) return reader.run(foundAndSifted(steps, queryOf));
    const found = await reader.run(steps);
    const asked = queryOf(found);
    return [found, asked === null ? NOTHING_SIFTED : await reader.sift(asked.query, asked.sieve)];
  }

  /** Lets other work go first; where the scan has been aborted, it ends here. */
  async pause(): Promise<void> {
    const { executor, signal } = this.#reading;
    await executor.pause();
    signal?.throwIfAborted();
  }
}

function* foundAndSifted<Found>(
  steps: Steps<Found>,
  queryOf: (found: Found) => SiftedQuery | null,
): Steps<readonly [Found, Sifted]> {
  const found = yield* steps;
  const asked = queryOf(found);
  return [found, asked === null ? NOTHING_SIFTED : siftRows(yield* rowsOf(asked.query), asked.sieve)];
}

function* rowsOf(query: Sql): Steps<readonly Row[]> {
  const { rows } = yield query;
  return rows;
}
