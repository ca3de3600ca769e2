/**
 * Numbers in a text that comes in pieces: whether a double holds them.
 * @module
 */
import { isExactNumber } from "../json/scan.ts";
import type { Cursor, TextPlace } from "./cursor.ts";
import type { Faults } from "./faults.ts";

/** Whether a character begins a number. */
export function beginsNumber(code: number): boolean {
  return code === 0x2d || isDigit(code);
}

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
    const end = endOf(text, start + 1);
    const token = text.slice(start, end);
    if (end === text.length) this.#begun = { text: token, place: this.#cursor.placeOf(start) };
    else if (!isExactNumber(token)) this.#faults.inexact(this.#cursor.placeOf(start));
    return end - 1;
  }

  /** Reads on in a number of the piece before; answers where to go on. */
  resume(text: string): number {
    if (this.#begun === null) return 0;
    const end = endOf(text, 0);
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

function endOf(text: string, start: number): number {
  let end = start;
  while (end < text.length && isPart(text.charCodeAt(end))) end += 1;
  return end;
}

/** Digits, `+`, `-`, `.`, `e`, `E`. */
function isPart(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x65 || code === 0x45;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
