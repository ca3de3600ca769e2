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
  /** Names seen in an object. */
  readonly names: Set<string>;
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

const TOKEN =
  /[ \t\n\r]*(?<token>[{}[\],:]|"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z.])|true|false|null)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The first fault of a text, or null where it is valid and no object has a member name twice. */
export function findFault(text: string): JsonFault | null {
  const open: Container[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text)?.groups?.["token"] ?? "";
    const start = TOKEN.lastIndex - token.length;
    offset = TOKEN.lastIndex;
    if (token === "") return endFault(text, start, expected);
    if (token === '"') {
      const end = endOfString(text, offset);
      if (text.charAt(end) !== '"')
        return { offset: end, problem: "a string is not closed, or holds a character to escape" };
      offset = end + 1;
    }
    const next = follow(token, text.slice(start, offset), expected, open);
    if (next.problem !== null) return { offset: start, problem: next.problem };
    expected = next.expected;
  }
}

function endFault(text: string, start: number, expected: Expected): JsonFault | null {
  if (start === text.length && expected === "end") return null;
  return { offset: start, problem: EXPECTATIONS[expected] };
}

type Step = { readonly problem: string } | { readonly problem: null; readonly expected: Expected };

function follow(token: string, source: string, expected: Expected, open: Container[]): Step {
  const container = open.at(-1);
  const refused: Step = { problem: EXPECTATIONS[expected] };
  switch (token) {
    case ":":
      return expected === "colon" ? to("value") : refused;
    case ",":
      if (expected !== "separator" || container === undefined) return refused;
      return to(container.close === "]" ? "value" : "member name");
    case "]":
      return container?.close === "]" && (expected === "separator" || expected === "value or ]")
        ? closed(open)
        : refused;
    case "}":
      return container?.close === "}" && (expected === "separator" || expected === "member name or }")
        ? closed(open)
        : refused;
    case '"':
      if (container !== undefined && (expected === "member name" || expected === "member name or }")) {
        return named(source, container);
      }
      break;
    default:
  }
  if (expected !== "value" && expected !== "value or ]") return refused;
  if (token === "[") return opened(open, "]");
  if (token === "{") return opened(open, "}");
  return to(open.length === 0 ? "end" : "separator");
}

function to(expected: Expected): Step {
  return { problem: null, expected };
}

function opened(open: Container[], close: Container["close"]): Step {
  open.push({ close, names: new Set() });
  return to(close === "]" ? "value or ]" : "member name or }");
}

function closed(open: Container[]): Step {
  open.pop();
  return to(open.length === 0 ? "end" : "separator");
}

/** Longest member name that a message repeats, in characters. */
const SHOWN_NAME = 64;

function named(source: string, container: Container): Step {
  const name = String(JSON.parse(source));
  if (container.names.has(name)) {
    return { problem: `member ${JSON.stringify(name.slice(0, SHOWN_NAME))} occurs twice in one object` };
  }
  container.names.add(name);
  return to("colon");
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
