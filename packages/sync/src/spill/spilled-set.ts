/**
 * Sets outside the memory of the program.
 * @module
 */
import type { SpillFile, SpillTable } from "./spill-file.ts";

/** Texts, each once, in the order in which they came. */
export class SpilledSet implements Iterable<string> {
  readonly #table: SpillTable;

  constructor(file: SpillFile) {
    this.#table = file.table();
  }

  /** Adds a text; tells whether it was not there. */
  add(text: string): boolean {
    return this.#table.add(text, "");
  }

  has(text: string): boolean {
    return this.#table.has(text);
  }

  delete(text: string): void {
    this.#table.delete(text);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (const [text] of this.#table.rows()) yield text;
  }
}
