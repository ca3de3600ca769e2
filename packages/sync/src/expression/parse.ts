/**
 * Reads expressions: text with fields between braces, each of which may go through functions.
 *
 * `{first} {last}`, `{mail | lower}`, `{status | table('status') | default(true)}`. `{{` and `}}` stand for braces.
 * @module
 */
import { FUNCTIONS, type Apply, type Argument, type Tables } from "./functions.ts";

/** An expression is wrong; the message says what to do, for people. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  /** 0-based place in the text of the expression. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A field, and what is done with its value. */
export interface Pipeline {
  readonly field: string;
  readonly calls: readonly Apply[];
}

/** Texts and fields, one behind the other. */
export interface Expression {
  readonly parts: readonly (string | Pipeline)[];
}

interface Token {
  readonly kind: "text" | "word" | "mark" | "end";
  readonly value: string;
  readonly offset: number;
}

const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>[\p{L}\p{N}_$@:.;/+*-]+)|(?<mark>[|(),}]))/uy;

/**
 * Reads an expression.
 * @param tables lookup tables of the mapping by name
 * @throws {@link ExpressionError}
 */
export function parseExpression(text: string, tables: Tables): Expression {
  const parts: (string | Pipeline)[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (text.startsWith("{{", at) || text.startsWith("}}", at)) {
      plain += character;
      at += 2;
    } else if (character === "}") {
      throw new ExpressionError("A '}' closes nothing: write '}}' for the character itself.", at);
    } else if (character === "{") {
      if (plain !== "") parts.push(plain);
      plain = "";
      const reader = new PipelineReader(text, at + 1, tables);
      parts.push(reader.read());
      at = reader.end;
    } else {
      plain += character;
      at += 1;
    }
  }
  if (plain !== "") parts.push(plain);
  return { parts };
}

/** Reads what stands between braces. */
class PipelineReader {
  readonly #text: string;
  readonly #tables: Tables;
  #at: number;

  constructor(text: string, at: number, tables: Tables) {
    this.#text = text;
    this.#at = at;
    this.#tables = tables;
  }

  /** Behind the closing brace. */
  get end(): number {
    return this.#at;
  }

  read(): Pipeline {
    const first = this.#next();
    if (first.kind !== "word" && first.kind !== "text")
      throw new ExpressionError("A field is missing behind '{'.", first.offset);
    const calls: Apply[] = [];
    for (;;) {
      const mark = this.#next();
      if (mark.value === "}" && mark.kind === "mark") return { field: first.value, calls };
      if (mark.value !== "|" || mark.kind !== "mark")
        throw new ExpressionError(
          mark.kind === "end"
            ? "A '{' is not closed."
            : `'${mark.value}' is not expected here: functions follow '|', and a name with spaces stands in quotes.`,
          mark.offset,
        );
      calls.push(this.#call());
    }
  }

  #call(): Apply {
    const { kind, value: name, offset } = this.#next();
    const stated = kind === "word" ? FUNCTIONS.get(name) : undefined;
    if (stated === undefined)
      throw new ExpressionError(
        `There is no function '${name}'; there are ${[...FUNCTIONS.keys()].join(", ")}.`,
        offset,
      );
    const values = this.#arguments();
    if (values.length < stated.least || values.length > stated.most)
      throw new ExpressionError(`Use ${stated.usage}.`, offset);
    try {
      return stated.make(values, this.#tables);
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      throw new ExpressionError(cause.message, offset);
    }
  }

  #arguments(): readonly Argument[] {
    const before = this.#at;
    const open = this.#next();
    if (open.value !== "(" || open.kind !== "mark") {
      this.#at = before;
      return [];
    }
    const values: Argument[] = [];
    for (;;) {
      const token = this.#next();
      if (token.value === ")" && token.kind === "mark" && values.length === 0) return values;
      values.push(valueOf(token));
      const mark = this.#next();
      if (mark.kind === "mark" && mark.value === ")") return values;
      if (mark.kind !== "mark" || mark.value !== ",")
        throw new ExpressionError("Arguments stand apart by ',' and end in ')'.", mark.offset);
    }
  }

  #next(): Token {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.#text);
    if (found === null) {
      const rest = this.#text.slice(this.#at).trimStart();
      const offset = this.#text.length - rest.length;
      if (rest === "") return { kind: "end", value: "", offset };
      throw new ExpressionError(`'${rest.charAt(0)}' is not expected here.`, offset);
    }
    this.#at = TOKEN.lastIndex;
    const { text, word, mark } = found.groups ?? {};
    const shown = text ?? word ?? mark ?? "";
    const offset = this.#at - shown.length;
    if (text !== undefined) return { kind: "text", value: unquoted(text), offset };
    return { kind: word === undefined ? "mark" : "word", value: shown, offset };
  }
}

/** A backslash stands for itself but before a quote or another, so that regular expressions can be written plainly. */
function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(["'\\])/g, "$1");
}

/** A number is one where it is written as numbers are: codes such as `01` are texts. */
function valueOf({ kind, value, offset }: Token): Argument {
  if (kind === "text") return value;
  if (kind === "word") {
    if (value === "true" || value === "false") return value === "true";
    if (/^-?\d+(?:\.\d+)?$/.test(value)) return String(Number(value)) === value ? Number(value) : value;
  }
  throw new ExpressionError("An argument is a text in quotes, a number, true or false.", offset);
}
