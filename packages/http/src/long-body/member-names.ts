/**
 * Strings in a text that comes in pieces, and the names that lead to where the text is.
 * @module
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads strings; of those that may be names it keeps the text. */
export class MemberNames {
  /** Names of the member of the object, and of the member of an object in it. */
  readonly #names: string[] = [];
  #isOpen = false;
  #isEscaped = false;
  /** The last string that may be a name, with its quotes. */
  #text = "";
  #isKept = false;
  #isAfterColon = false;

  /** Whether the text is in a string. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A string begins. */
  open(mayBeName: boolean): void {
    this.#isOpen = true;
    this.#isKept = mayBeName;
    this.#isAfterColon = false;
    if (mayBeName) this.#text = '"';
  }

  /** Reads on in a string; answers the offset of its last character in this piece. */
  read(text: string, start: number): number {
    const end = this.#endOf(text, start);
    if (this.#isKept) this.#text += text.slice(start, end + 1);
    return end;
  }

  /** A colon follows at a depth: the last string was a name. */
  colon(depth: number, isKept: boolean): void {
    this.#isAfterColon = true;
    if (!isKept || depth < 1 || depth > 2) return;
    this.#names.length = Math.min(this.#names.length, depth - 1);
    this.#names.push(nameOf(this.#text));
  }

  /** Anything else follows. */
  other(): void {
    this.#isAfterColon = false;
  }

  /** The names to a value that begins now at a depth; null where it is no member that they lead to. */
  path(depth: number): readonly string[] | null {
    return this.#isAfterColon && this.#names.length === depth ? [...this.#names] : null;
  }

  #endOf(text: string, start: number): number {
    let at = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#isOpen = false;
        return at;
      }
      if (code === BACKSLASH) at += 1;
    }
    // A backslash at the end of the piece escapes the first character of the next.
    this.#isEscaped = at > text.length;
    return text.length;
  }
}

/** A name as it is spelled; what is no JSON string is found out later. */
function nameOf(source: string): string {
  try {
    return String(JSON.parse(source));
  } catch {
    return "";
  }
}
