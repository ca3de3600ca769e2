/**
 * What was read last, so that an answer of 304 can be served.
 * @module
 */

/** Bounds of the cache. */
export interface CacheLimits {
  /** Greatest number of resources. Default 1000. */
  readonly resources?: number;
  /** Greatest size of all texts together, in characters. Default 16,777,216. */
  readonly characters?: number;
}

/** A representation with its entity tag. */
export interface CachedText {
  readonly tag: string;
  /** JSON text. */
  readonly text: string;
}

/** Representations by address; what was used last is kept. */
export class ResourceCache {
  readonly #mostResources: number;
  readonly #mostCharacters: number;
  readonly #entries = new Map<string, CachedText>();
  #characters = 0;

  constructor({ resources = 1000, characters = 16_777_216 }: CacheLimits = {}) {
    this.#mostResources = resources;
    this.#mostCharacters = characters;
  }

  get(address: string): CachedText | undefined {
    const entry = this.#entries.get(address);
    if (entry !== undefined) {
      this.#entries.delete(address);
      this.#entries.set(address, entry);
    }
    return entry;
  }

  /** Keeps a representation; one that would take more than an eighth of the room is not kept. */
  set(address: string, entry: CachedText): void {
    this.delete(address);
    if (entry.text.length * 8 > this.#mostCharacters) return;
    this.#entries.set(address, entry);
    this.#characters += entry.text.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#mostResources && this.#characters <= this.#mostCharacters) break;
      this.delete(oldest);
    }
  }

  delete(address: string): void {
    const entry = this.#entries.get(address);
    if (entry === undefined) return;
    this.#entries.delete(address);
    this.#characters -= entry.text.length;
  }
}
