/**
 * The first few of many things in some order, found without keeping the others.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** Least number of things that are kept beyond those asked for, so that sorting them is seldom needed. */
const SLACK = 256;

/** What is kept, and how it is ordered. */
export interface FirstFewOptions<Item> {
  /** How many are asked for: 0 or more. */
  readonly size: number;
  readonly compare: (left: Item, right: Item) => number;
  /** Most things that may be kept. */
  readonly ceiling: number;
}

/** Keeps the first few of the things that are added. */
export class FirstFew<Item> {
  readonly #options: FirstFewOptions<Item>;
  #items: Item[] = [];
  /** The last of the first few so far, once there are as many; nothing behind it is among them. */
  #bound: Item | null = null;

  constructor(options: FirstFewOptions<Item>) {
    this.#options = options;
  }

  /** What nothing behind it needs to be added: the last of the first few so far; null while there are not as many. */
  get bound(): Item | null {
    return this.#bound;
  }

  /** @throws ScimError `tooMany` where more would have to be kept than allowed */
  add(item: Item): void {
    const { size, compare, ceiling } = this.#options;
    if (size === 0 || (this.#bound !== null && compare(item, this.#bound) >= 0)) return;
    this.#items.push(item);
    if (this.#items.length < size + Math.max(size, SLACK)) {
      if (size > ceiling && this.#items.length > ceiling) throw tooManySorted(ceiling);
      return;
    }
    this.#items = [...this.sorted()];
    this.#bound = this.#items.at(-1) ?? null;
  }

  /** The first few, in order. */
  sorted(): readonly Item[] {
    return this.#items.toSorted(this.#options.compare).slice(0, this.#options.size);
  }
}

/** The refusal of a page that lies too deep in a sorted list. */
export function tooManySorted(ceiling: number): ScimError {
  return new ScimError(
    "tooMany",
    `More than ${ceiling} resources would have to be sorted to find this page: page by 'cursor', narrow the ` +
      "filter, or sort by an attribute that has an index.",
  );
}
