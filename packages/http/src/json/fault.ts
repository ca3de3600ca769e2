/**
 * Finds what is wrong with JSON text that the parser refused: the first fault against RFC 8259, or the
 * first member name that its object has already. Only runs once something is known to be wrong.
 * @module
 */

/** A fault and where it stands. */
export interface JsonFault {
  /** UTF-16 offset. */
  readonly offset: number;
  /** What was expected, or what is wrong, as the end of a sentence. */
  readonly problem: string;
}

/** An array or object that is open. */
interface Container {
  readonly close: "]" | "}";
  /** Names seen in an object; null before the first. */
  names: Set<string> | null;
}

/** What may come next. */
type Expected = "value" | "value or ]" | "member name" | "member name or }" | "colon" | "separator" | "end";

const EXPECTATIONS: Readonly<Record<Expected, string>> = {
  value: "expected a value",
  "value or ]": "expected a value or ']'",
  "member name": "expected a member name in double quotes",
  "member name or }": "expected a member name in double quotes or '}'",
  colon: "expected ':'",
  separator: "expected ',' or the end of the array or object",
  end: "expected the end of the body",
};

/** Numbers and the words of JSON; what else stands in a text is one character, or a string. */
const WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z.])|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first fault of a text, or null where it is valid and no object has a member name twice. */
export function findFault(text: string): JsonFault | null {
  const walk = new Walk();
  let offset = 0;
  for (;;) {
    const start = behindSpace(text, offset);
    const token = tokenAt(text, start);
    if (token === "") {
      return start === text.length && walk.isDone ? null : { offset: start, problem: walk.expectation };
    }
    offset = start + token.length;
    if (token === '"') {
      const end = endOfString(text, offset);
      if (text.charAt(end) !== '"') return { offset: end, problem: OPEN_STRING };
      offset = end + 1;
    }
    const problem = walk.take(token, token === '"' ? text.slice(start, offset) : token);
    if (problem !== null) return { offset: start, problem };
  }
}

/** Offset of the first character from `offset` on that is no space, tab or line end. */
function behindSpace(text: string, offset: number): number {
  let at = offset;
  for (let code = text.charCodeAt(at); isSpace(code); code = text.charCodeAt(at)) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The token at an offset: of a string its first quote; empty where there is none. */
function tokenAt(text: string, offset: number): string {
  const character = text.charAt(offset);
  switch (character) {
    case '"':
    case ",":
    case ":":
    case "{":
    case "}":
    case "[":
    case "]":
      return character;
    default:
      WORD.lastIndex = offset;
      return WORD.exec(text)?.[0] ?? "";
  }
}

const OPEN_STRING = "a string is not closed, or holds a character to escape";

/** Longest member name that a message repeats, in characters. */
const SHOWN_NAME = 64;

/** What has been read so far: which arrays and objects are open, and what may come next. */
class Walk {
  readonly #open: Container[] = [];
  #expected: Expected = "value";

  get isDone(): boolean {
    return this.#expected === "end";
  }

  get expectation(): string {
    return EXPECTATIONS[this.#expected];
  }

  /** Takes a token; returns what is wrong with it, or null. `source` is its text, for strings with their quotes. */
  take(token: string, source: string): string | null {
    switch (token) {
      case ":":
        return this.#expected === "colon" ? this.#expect("value") : this.expectation;
      case ",":
        return this.#separate();
      case "]":
      case "}":
        return this.#close(token);
      default:
        return this.#expected.startsWith("member name") ? this.#name(source) : this.#value(token);
    }
  }

  #expect(expected: Expected): null {
    this.#expected = expected;
    return null;
  }

  #separate(): string | null {
    if (this.#expected !== "separator") return this.expectation;
    return this.#expect(this.#open.at(-1)?.close === "]" ? "value" : "member name");
  }

  #close(token: "]" | "}"): string | null {
    const isEmpty = this.#expected === (token === "]" ? "value or ]" : "member name or }");
    if (this.#open.at(-1)?.close !== token || !(isEmpty || this.#expected === "separator"))
      return this.expectation;
    this.#open.pop();
    return this.#afterValue();
  }

  #name(source: string): string | null {
    if (!source.startsWith('"')) return this.expectation;
    const name = source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1);
    const container = this.#open.at(-1);
    if (container?.names?.has(name) === true) {
      return `member ${JSON.stringify(name.slice(0, SHOWN_NAME))} occurs twice in one object`;
    }
    if (container !== undefined) (container.names ??= new Set()).add(name);
    return this.#expect("colon");
  }

  #value(token: string): string | null {
    if (!this.#expected.startsWith("value")) return this.expectation;
    if (token !== "[" && token !== "{") return this.#afterValue();
    this.#open.push({ close: token === "[" ? "]" : "}", names: null });
    return this.#expect(token === "[" ? "value or ]" : "member name or }");
  }

  #afterValue(): null {
    return this.#expect(this.#open.length === 0 ? "end" : "separator");
  }
}

/** Offset of the closing quote of the string whose text begins at `start`, or of what cannot stand in it. */
function endOfString(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const character = text.charAt(end);
    if (character === '"' || character < " ") return end;
    ESCAPE.lastIndex = end;
    if (character !== "\\") end += 1;
    else if (ESCAPE.test(text)) end = ESCAPE.lastIndex;
    else return end;
  }
  return end;
}
