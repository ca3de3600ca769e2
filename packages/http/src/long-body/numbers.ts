/**
 * Numbers in a text that comes in pieces: whether a double holds them.
 * @module
 */
import { isExactNumber } from "@scim/schemas";
import { endOfNumber } from "../json/scan.ts";
import type { Cursor, TextPlace } from "./cursor.ts";
import type { Faults } from "./faults.ts";

/** Reads numbers. */
export class Numbers {
  readonly #faults: Faults;
  readonly #cursor: Cursor;
  /** A number that the last piece ended in, and its place. */
  #begun: { text: string; readonly place: TextPlace } | null = null;

  constructor(faults: Faults, cursor: Cursor) {
    this.#faults = faults;
    this.#cursor = cursor;
  }

  /** Reads a number; answers the offset of its last character in this piece. */
  read(text: string, start: number): number {
    const end = endOfNumber(text, start + 1);
    const token = text.slice(start, end);
    if (end === text.length) this.#begun = { text: token, place: this.#cursor.placeOf(start) };
    else if (!isExactNumber(token)) this.#faults.inexact(this.#cursor.placeOf(start));
    return end - 1;
  }

  /** Reads on in a number of the piece before; answers where to go on. */
  resume(text: string): number {
    if (this.#begun === null) return 0;
    const end = endOfNumber(text, 0);
    this.#begun.text += text.slice(0, end);
    if (end < text.length) this.end();
    return end;
  }

  /** The text is at its end, or the number is. */
  end(): void {
    if (this.#begun !== null && !isExactNumber(this.#begun.text)) this.#faults.inexact(this.#begun.place);
    this.#begun = null;
  }
}
