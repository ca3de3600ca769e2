/**
 * Names that are looked for in a text.
 * @module
 */

/** Finds names where they stand in a text: making a string of what stands there, to look for that, costs far more. */
export class NameTable {
  readonly #byLength: (readonly string[] | undefined)[] = [];

  constructor(names: Iterable<string>) {
    for (const name of names) this.#byLength[name.length] = [...(this.#byLength[name.length] ?? []), name];
  }

  /** Whether one of the names is what stands between two places of a text. */
  has(text: string, start: number, end: number): boolean {
    const candidates = this.#byLength[end - start];
    if (candidates === undefined) return false;
    for (const name of candidates) if (text.startsWith(name, start)) return true;
    return false;
  }
}
