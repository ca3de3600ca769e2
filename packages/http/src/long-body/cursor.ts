/**
 * Lines and columns in a text that comes in pieces.
 * @module
 */

/** A place in a text, with what is needed to tell the places behind it. */
export class TextPlace {
  /** UTF-16 offset in the whole text. */
  readonly offset: number;
  readonly #line: number;
  readonly #lineStart: number;

  constructor(offset: number, line: number, lineStart: number) {
    this.offset = offset;
    this.#line = line;
    this.#lineStart = lineStart;
  }

  /** The place at an offset in the text that begins here. */
  behind(text: string, offset: number): TextPlace {
    let line = this.#line;
    let lineStart = this.#lineStart;
    for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
      line += 1;
      lineStart = this.offset + at + 1;
    }
    return new TextPlace(this.offset + offset, line, lineStart);
  }

  /** As messages tell it. */
  toString(): string {
    return `at line ${this.#line}, column ${this.offset - this.#lineStart + 1}`;
  }
}

/** Walks along a text. */
export class Cursor {
  #text = "";
  #start = new TextPlace(0, 1, 0);
  #place = this.#start;

  /** Takes the next piece. */
  begin(text: string): void {
    this.#text = text;
    this.#start = this.#place;
  }

  /** The place of an offset in the piece: best asked for in their order. */
  placeOf(offset: number): TextPlace {
    const walked = this.#place.offset - this.#start.offset;
    if (offset < walked) return this.#start.behind(this.#text, offset);
    if (offset > walked) this.#place = this.#place.behind(this.#text.slice(walked, offset), offset - walked);
    return this.#place;
  }

  /** The piece is done. */
  end(): void {
    this.placeOf(this.#text.length);
    this.#text = "";
  }
}
