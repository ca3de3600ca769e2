/**
 * Records that were gathered and wait to be written: in one group for each range of their keys.
 * @module
 */
import type { ImportOutcome } from "@scim/core";
import type { SourceRecord } from "./read-records.ts";

/** What is written together. */
export interface Group {
  readonly range: number;
  readonly records: readonly SourceRecord[];
  /** Records that were rejected since the last group was taken, of whatever range. */
  readonly rejected: readonly Rejected[];
}

/** A record that is rejected, and where it stands. */
export interface Rejected {
  readonly outcome: ImportOutcome;
  readonly line: number;
}

/** Bytes of records that wait at most. */
const MOST_BYTES = 12_582_912;

/**
 * Records that wait, for each that a group may have. While all ranges fill alike, a group comes to three fifths of what it
 * may have, and each range is written with what came of it while four groups were written.
 */
const WAITING = 1.5;

/**
 * Records behind the first one of a group, for each that a group may have, at which it is written however few it has: what
 * was written beyond it would be looked for in vain where the import is killed.
 */
const LONGEST_WAIT = 3;

/** Records that wait. */
export class GatheredRecords {
  /** By their ranges, in the order in which these began. */
  readonly #groups = new Map<number, OpenGroup>();
  #rejected: Rejected[] = [];
  #waiting = 0;
  #bytes = 0;
  /** How many there were so far. */
  #count = 0;

  get isEmpty(): boolean {
    return this.#groups.size === 0 && this.#rejected.length === 0;
  }

  /** Keeps a record until its range is written. */
  add(record: SourceRecord, range: number): void {
    const group = this.#groups.get(range) ?? { begun: this.#count, records: [], bytes: 0 };
    this.#groups.set(range, group);
    this.#count += 1;
    group.records.push(record);
    group.bytes += record.bytes;
    this.#waiting += 1;
    this.#bytes += record.bytes;
  }

  /** Keeps a record that is told of when the next group is written. */
  reject(rejected: Rejected): void {
    this.#rejected.push(rejected);
  }

  /** Whether a group has to be written before more is added. */
  isFull(most: number): boolean {
    const waiting = this.#waiting + this.#rejected.length;
    return this.#dueRange(most) !== null || waiting >= most * WAITING || this.#bytes >= MOST_BYTES;
  }

  /** Takes a group that is due, or the one that began first. */
  take(most: number): Group {
    const [first = 0] = this.#groups.keys();
    const range = this.#dueRange(most) ?? first;
    const { records, bytes } = this.#groups.get(range) ?? { records: [], bytes: 0 };
    const rejected = this.#rejected;
    this.#groups.delete(range);
    this.#rejected = [];
    this.#waiting -= records.length;
    this.#bytes -= bytes;
    return { range, records, rejected };
  }

  #dueRange(most: number): number | null {
    for (const [range, { records, begun }] of this.#groups)
      if (records.length >= most || this.#count - begun >= most * LONGEST_WAIT) return range;
    return null;
  }
}

interface OpenGroup {
  /** How many records there were before its first. */
  readonly begun: number;
  readonly records: SourceRecord[];
  bytes: number;
}
