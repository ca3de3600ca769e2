/**
 * Maps of which the keys are in memory, and the values in a pile of texts.
 * @module
 */
import type { TextPile } from "./text-pile.ts";

/** How values stand as text. Reading what was written gives an equal value. */
export interface TextForm<Value> {
  readonly write: (value: Value) => string;
  readonly read: (text: string) => Value;
}

/** A map that is read; each value that it gives is a new copy. */
export interface ReadonlySpilledMap<Value> extends Iterable<readonly [string, Value]> {
  readonly size: number;
  has(key: string): boolean;
  get(key: string): Value | undefined;
  keys(): Iterable<string>;
  values(): Iterable<Value>;
}

/** Values by key, in the order in which the keys came. A value that is replaced keeps its room in the pile. */
export class SpilledMap<Value> implements ReadonlySpilledMap<Value> {
  readonly #pile: TextPile;
  readonly #form: TextForm<Value>;
  readonly #numbers = new Map<string, number>();

  constructor(pile: TextPile, form: TextForm<Value>) {
    this.#pile = pile;
    this.#form = form;
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(key: string): boolean {
    return this.#numbers.has(key);
  }

  get(key: string): Value | undefined {
    const number = this.#numbers.get(key);
    return number === undefined ? undefined : this.#form.read(this.#pile.text(number));
  }

  set(key: string, value: Value): void {
    const text = this.#form.write(value);
    const before = this.#numbers.get(key);
    if (before === undefined || this.#pile.text(before) !== text)
      this.#numbers.set(key, this.#pile.add(text));
  }

  delete(key: string): void {
    this.#numbers.delete(key);
  }

  keys(): Iterable<string> {
    return this.#numbers.keys();
  }

  *values(): Generator<Value, void, undefined> {
    for (const number of this.#numbers.values()) yield this.#form.read(this.#pile.text(number));
  }

  *[Symbol.iterator](): Generator<readonly [string, Value], void, undefined> {
    for (const [key, number] of this.#numbers) yield [key, this.#form.read(this.#pile.text(number))];
  }
}

/** Texts up to this length are never a part of a longer one in the memory of V8. */
const SHORT = 12;

/** The same text, which does not keep alive the longer one that it was cut out of. */
export function ownText(text: string): string {
  // The text of a string is a string.
  return text.length <= SHORT ? text : (JSON.parse(JSON.stringify(text)) as string);
}
