/**
 * Names of constants and types, made of names that services give.
 * @module
 */

/** Characters of a name of a service that go into a name of the module. */
const LONGEST = 40;

/** Gives each name once: a second `DEVICE` is `DEVICE_2`. */
export class Names {
  readonly #taken: Set<string>;

  /** @param reserved what the module imports */
  constructor(reserved: readonly string[]) {
    this.#taken = new Set(reserved);
  }

  /** `ENTERPRISE_USER` for `EnterpriseUser`, with an ending. */
  constant(text: string, ending = ""): string {
    const words = wordsOf(text).map((each) => each.toUpperCase());
    return this.#free(words.join("_") + ending, "_");
  }

  /** `EnterpriseUser` for `enterprise user`, with an ending. */
  type(text: string, ending = ""): string {
    const words = wordsOf(text).map((each) => each.charAt(0).toUpperCase() + each.slice(1));
    return this.#free(words.join("") + ending, "");
  }

  #free(name: string, separator: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(free); count += 1) free = `${name}${separator}${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** The words of a name, of ASCII letters and digits alone, the first of which begins with a letter. */
function wordsOf(text: string): readonly string[] {
  const words =
    text
      .slice(0, LONGEST)
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .match(/[A-Za-z0-9]+/g) ?? [];
  return words[0] !== undefined && /^[A-Za-z]/.test(words[0]) ? words : ["Type", ...words];
}
