/**
 * Records of a source: what stands in one line, or in one element of a list.
 * @module
 */

/** A record as it was cut out of the source. */
export interface RawRecord {
  /** Line of the source that it begins on, from 1. */
  readonly line: number;
  /** Its bytes; null where it could not be cut out. */
  readonly bytes: Buffer | null;
  /** Why there are no bytes; null where there are. */
  readonly fault: string | null;
}

/** Cuts a source into records, however it arrives in pieces. Memory is bounded by one record of the greatest size. */
export interface Cutter {
  /** The records that end in this piece. */
  push(piece: Buffer): readonly RawRecord[];
  /** What is left when the source ends. */
  end(): readonly RawRecord[];
}

/** Collects the bytes of one record up to a bound; of a longer one it keeps nothing. */
export class RecordBytes {
  readonly #most: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes the record has so far, kept or not. */
  get size(): number {
    return this.#size;
  }

  get isTooLong(): boolean {
    return this.#size > this.#most;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  /** The record, and nothing afterwards. */
  take(line: number): RawRecord {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    const fault = this.isTooLong
      ? `The record has ${this.#size} bytes; at most ${this.#most} are read (--max-record).`
      : null;
    this.#pieces = [];
    this.#size = 0;
    return { line, bytes: fault === null ? bytes : null, fault };
  }
}
