/**
 * Which keys a source has brought so far, so that the second record of one is told apart. A key takes twelve bytes,
 * however long it is: what is kept is a hash of 64 bits and the record, and two keys of a million are taken for one
 * another once in ten million sources.
 * @module
 */

/** Tables among which the keys are spread, a power of two: only one of them at a time is in memory twice, while it grows. */
const TABLES = 64;
const FIRST_SLOTS = 64;

/**
 * A slot is three numbers beside each other, so that memory is waited for once: both halves of the hash, and the record,
 * from 1; 0: the slot is free.
 */
const SLOT = 3;
const LOW = 1;
const RECORD = 2;

/** How full a table may be, and how it grows: in little steps, since most of its memory is that of free slots. */
const FULLEST = 0.85;
const GROWTH = 1.25;

/** Keys, and the records that brought them. */
export class SeenKeys {
  readonly #tables = Array.from({ length: TABLES }, () => new KeyTable());

  /**
   * Keeps a key as that of a record, which is numbered from 1, unless a record before brought it.
   * @returns that record, or null
   */
  add(key: string, record: number): number | null {
    const hashed = hash(key);
    return this.#tables[hashed.high & (TABLES - 1)]?.add(hashed, record) ?? null;
  }

  /** The record that brought a key; null where none did. */
  find(key: string): number | null {
    const hashed = hash(key);
    return this.#tables[hashed.high & (TABLES - 1)]?.find(hashed) ?? null;
  }
}

class KeyTable {
  #slots = FIRST_SLOTS;
  #size = 0;
  #numbers = new Int32Array(FIRST_SLOTS * SLOT);

  add(hashed: Hash, record: number): number | null {
    if (this.#size >= this.#slots * FULLEST) this.#grow();
    const place = this.#placeOf(hashed);
    const known = this.#numbers[place + RECORD] ?? 0;
    if (known !== 0) return known;
    this.#take(place, hashed, record);
    this.#size += 1;
    return null;
  }

  find(hashed: Hash): number | null {
    const record = this.#numbers[this.#placeOf(hashed) + RECORD] ?? 0;
    return record === 0 ? null : record;
  }

  #take(place: number, { high, low }: Hash, record: number): void {
    this.#numbers[place] = high;
    this.#numbers[place + LOW] = low;
    this.#numbers[place + RECORD] = record;
  }

  /** Where the slot of a hash begins, or the free one that it would take. */
  #placeOf({ high, low }: Hash): number {
    const numbers = this.#numbers;
    let place = ((low >>> 0) % this.#slots) * SLOT;
    while (numbers[place + RECORD] !== 0 && (numbers[place] !== high || numbers[place + LOW] !== low)) {
      place += SLOT;
      if (place === numbers.length) place = 0;
    }
    return place;
  }

  #grow(): void {
    const former = this.#numbers;
    this.#slots = Math.floor(this.#slots * GROWTH);
    this.#numbers = new Int32Array(this.#slots * SLOT);
    for (let place = 0; place < former.length; place += SLOT) {
      const record = former[place + RECORD] ?? 0;
      if (record === 0) continue;
      const hashed = { high: former[place] ?? 0, low: former[place + LOW] ?? 0 };
      this.#take(this.#placeOf(hashed), hashed, record);
    }
    // Gives its memory back at once, and not when garbage is collected.
    former.buffer.transfer(0);
  }
}

/** Two signed integers of 32 bits: others would be objects to the engine. */
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
  return twice ^ (twice >>> 16);
}
