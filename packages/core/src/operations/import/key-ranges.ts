/**
 * Ranges that keys fall into. Resources whose keys lie near each other are written together, since they share pages of the
 * trees of a database: however they come, each page is then read and written less often.
 * @module
 */

/** How many ranges there are. More would be written in smaller groups, each with its own transaction. */
export const KEY_RANGES = 4;

/** Of so many keys one is kept, and so many are. */
const KEPT_OF = 16;
const KEPT = 1024;

/** Ranges that hold about as many of the keys that came lately each. */
export class KeyRanges {
  readonly #kept: string[] = [];
  #count = 0;
  /** First keys of the ranges behind the first one. None before there are keys to tell by. */
  #bounds: readonly string[] = [];

  /** The number of the range of a key, from 0. */
  rangeOf(key: string): number {
    if (this.#count % KEPT_OF === 0) this.#kept[(this.#count / KEPT_OF) % KEPT] = key;
    this.#count += 1;
    let range = 0;
    for (const bound of this.#bounds) if (key >= bound) range += 1;
    return range;
  }

  /** Sets the bounds anew by the keys that came lately. */
  settle(): void {
    const sorted = this.#kept.toSorted();
    this.#bounds = Array.from(
      { length: KEY_RANGES - 1 },
      (_, at) => sorted[Math.floor((sorted.length * (at + 1)) / KEY_RANGES)] ?? "",
    );
  }
}
