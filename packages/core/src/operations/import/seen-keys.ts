/**
 * Which keys a source has brought so far, so that the second record of one is told apart. A key takes twelve bytes,
 * however long it is: what is kept is a hash of 64 bits and the record, and two keys of a million are taken for one
 * another once in ten million sources.
 * @module
 */

const FIRST_SLOTS = 4096;

/** How full the table may be, and how it grows. */
const FULLEST = 0.75;
const GROWTH = 1.5;

/** A table of keys. */
export class SeenKeys {
  #slots = FIRST_SLOTS;
  #size = 0;
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  /** Records, from 1; 0: the slot is free. */
  #records = new Uint32Array(FIRST_SLOTS);

  /**
   * Keeps a key as that of a record, which is numbered from 1, unless a record before brought it.
   * @returns that record, or null
   */
  add(key: string, record: number): number | null {
    if (this.#size >= this.#slots * FULLEST) this.#grow();
    const { high, low } = hash(key);
    const slot = this.#slotOf(high, low);
    const known = this.#records[slot] ?? 0;
    if (known !== 0) return known;
    this.#take(slot, { high, low }, record);
    return null;
  }

  #take(slot: number, { high, low }: Hash, record: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#records[slot] = record;
    this.#size += 1;
  }

  /** The slot of a hash, or the free one that it would take. */
  #slotOf(high: number, low: number): number {
    let slot = low % this.#slots;
    while (this.#records[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) % this.#slots;
    return slot;
  }

  #grow(): void {
    const [high, low, records] = [this.#high, this.#low, this.#records];
    this.#slots = Math.floor(this.#slots * GROWTH);
    this.#size = 0;
    this.#high = new Uint32Array(this.#slots);
    this.#low = new Uint32Array(this.#slots);
    this.#records = new Uint32Array(this.#slots);
    for (const [slot, record] of records.entries()) {
      if (record === 0) continue;
      const moved = { high: high[slot] ?? 0, low: low[slot] ?? 0 };
      this.#take(this.#slotOf(moved.high, moved.low), moved, record);
    }
  }
}

interface Hash {
  readonly high: number;
  readonly low: number;
}

/** Two FNV-1a hashes with different primes and a final mix each. */
function hash(text: string): Hash {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return { high: mix(high), low: mix(low) };
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return (twice ^ (twice >>> 16)) >>> 0;
}
