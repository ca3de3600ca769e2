/**
 * Maps outside the memory of the program.
 * @module
 */
import type { SpillFile, SpillTable } from "./spill-file.ts";

/** How values stand as text. Reading what was written gives an equal value. */
export interface TextForm<Value> {
  readonly write: (value: Value) => string;
  readonly read: (text: string) => Value;
}

/** Values that are JSON by themselves. */
export function jsonForm<Value>(): TextForm<Value> {
  // What is read was written here.
  return { write: JSON.stringify, read: (text) => JSON.parse(text) as Value };
}

/** A map that is read; each value that it gives is a new copy. */
export interface ReadonlySpilledMap<Value> extends Iterable<readonly [string, Value]> {
  readonly size: number;
  has(key: string): boolean;
  get(key: string): Value | undefined;
  keys(): Iterable<string>;
  values(): Iterable<Value>;
}

/** Values by key, in the order in which the keys came. */
export class SpilledMap<Value> implements ReadonlySpilledMap<Value> {
  readonly #table: SpillTable;
  readonly #form: TextForm<Value>;

  constructor(file: SpillFile, form: TextForm<Value>) {
    this.#table = file.table();
    this.#form = form;
  }

  get size(): number {
    return this.#table.size;
  }

  has(key: string): boolean {
    return this.#table.has(key);
  }

  get(key: string): Value | undefined {
    const text = this.#table.get(key);
    return text === undefined ? undefined : this.#form.read(text);
  }

  set(key: string, value: Value): void {
    this.#table.put(key, this.#form.write(value));
  }

  delete(key: string): void {
    this.#table.delete(key);
  }

  *keys(): Generator<string, void, undefined> {
    for (const [key] of this.#table.rows()) yield key;
  }

  *values(): Generator<Value, void, undefined> {
    for (const [, text] of this.#table.rows()) yield this.#form.read(text);
  }

  *[Symbol.iterator](): Generator<readonly [string, Value], void, undefined> {
    for (const [key, text] of this.#table.rows()) yield [key, this.#form.read(text)];
  }
}
