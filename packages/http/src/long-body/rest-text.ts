/**
 * The text of a body without the values of its long lists, and where its parts stood.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import { countNames } from "../json/decode.ts";
import { findFault } from "../json/fault.ts";
import { findHalfPair } from "../json/scan.ts";
import type { TextPlace } from "./cursor.ts";
import type { Faults } from "./faults.ts";

interface Part {
  /** Offset in the rest. */
  readonly from: number;
  readonly text: string;
  readonly place: TextPlace;
}

/** Something is wrong, but not what was looked for. */
const NOT_FOUND = { offset: 0, problem: null };

/** What is kept of a text. */
export class RestText {
  readonly #parts: Part[] = [];
  #length = 0;
  /** Member names in it. */
  #names = 0;
  /** Where a value stands for those that were handed on: it takes no place in the text as it was. */
  readonly #fillings: number[] = [];

  /** Its length in characters. */
  get length(): number {
    return this.#length;
  }

  /** Adds a part, with so many member names. */
  add(text: string, place: TextPlace, names: number): void {
    this.#names += names;
    if (text === "") return;
    this.#parts.push({ from: this.#length, text, place });
    this.#length += text.length;
  }

  /** Puts a value into a list whose values were handed on: what may follow is what may follow a value. */
  fill(): void {
    this.#fillings.push(this.#length);
  }

  /**
   * The value of the text; null where there is a fault. Where the text broke off within a list, what is wrong with its
   * end is told of the list.
   */
  parse(faults: Faults, isWhole: boolean): JsonValue {
    const text = this.#filled();
    const value = parsed(text);
    if (value === undefined) {
      const { offset, problem } = findFault(text) ?? NOT_FOUND;
      if (isWhole || offset < text.length) faults.syntax(this.#placeOf(offset), problem);
      return null;
    }
    const half = findHalfPair(text);
    if (half !== null) faults.halfPair(this.#placeOf(half));
    if (this.#names !== countNames(value)) {
      const { offset, problem } = findFault(text) ?? NOT_FOUND;
      faults.repeated(this.#placeOf(offset), problem);
    }
    return value;
  }

  #filled(): string {
    const text = this.#parts.map((part) => part.text).join("");
    let filled = "";
    let from = 0;
    for (const at of this.#fillings) {
      filled += `${text.slice(from, at)}0`;
      from = at;
    }
    return filled + text.slice(from);
  }

  /** Where an offset in the filled text stood in the text as it was. */
  #placeOf(offset: number): TextPlace {
    const before = this.#fillings.filter((at, index) => at + index < offset).length;
    const at = offset - before;
    const part = this.#parts.findLast(({ from }) => from <= at) ?? this.#parts[0];
    if (part === undefined) throw new TypeError("A fault was found in a text that is empty");
    return part.place.behind(part.text, at - part.from);
  }
}

/** Undefined where it is no JSON. */
function parsed(text: string): JsonValue | undefined {
  try {
    // JSON.parse is typed `any`; what it returns is a JSON value by its contract.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
