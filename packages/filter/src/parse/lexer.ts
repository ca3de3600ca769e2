/**
 * Turns a text into tokens for the Chevrotain parser. It knows where white space must stand, which
 * words are operators and which are names, and how deep the text is nested; the grammar is the parser's.
 *
 * Chevrotain's own lexer is not used: it tries patterns in turn, and here one look at a character decides.
 * @module
 */
import { Code, endsOrIs, NAME, runEnd, URI, WHITE_SPACE } from "./characters.ts";
import { fault } from "./fault.ts";
import { faults, tooDeep } from "./faults.ts";
import { isValueBoundary, scanBareLiteral, scanSingleQuoted, scanString, scanWord } from "./literal.ts";
import type { ScannedValue } from "./literal.ts";
import type { Tolerance } from "./options.ts";
import { expectPathBoundary, nameEnd, readName, readPath } from "./path.ts";
import { FilterSyntaxError } from "./syntax-error.ts";
import {
  And,
  Attribute,
  DotName,
  FilteredAttribute,
  FilterToken,
  Invalid,
  LeftParenthesis,
  Not,
  Operator,
  Or,
  Present,
  RightBracket,
  RightParenthesis,
  Value,
} from "./tokens.ts";
import { isOperator, wordAt } from "./words.ts";
import type { TokenType } from "chevrotain";

/** What the lexer needs to know beside the text. */
export interface LexerOptions {
  /** A path has no white space outside brackets. */
  readonly form: "filter" | "path";
  readonly maxDepth: number;
  readonly tolerate: ReadonlySet<Tolerance> | undefined;
}

/** The tokens, how deep they are nested, and which tolerances they needed. */
export interface LexerResult {
  /** Ends with an `Invalid` token where the text could not be read on. */
  readonly tokens: FilterToken[];
  readonly depth: number;
  readonly used: readonly Tolerance[];
}

// What comes next: the start of an expression, an operator, a value, or what joins expressions.
type Place = "term" | "operator" | "value" | "joint";

const NONE: readonly Tolerance[] = [];

/** Reads a text into tokens. Never throws on a text: what cannot be read becomes an `Invalid` token. */
export function tokenize(text: string, options: LexerOptions): LexerResult {
  return new FilterLexer(text, options).run();
}

class FilterLexer {
  readonly #text: string;
  readonly #options: LexerOptions;
  readonly #tokens: FilterToken[] = [];
  #used: Set<Tolerance> | null = null;
  #position = 0;
  #depth = 0;
  #deepest = 0;
  #inBrackets = false;

  constructor(text: string, options: LexerOptions) {
    this.#text = text;
    this.#options = options;
  }

  run(): LexerResult {
    try {
      this.#readAll();
    } catch (error) {
      if (!(error instanceof FilterSyntaxError)) throw error;
      this.#tokens.push(new FilterToken(Invalid, error.offset, error));
    }
    const used = this.#used === null ? NONE : [...this.#used];
    return { tokens: this.#tokens, depth: this.#deepest, used };
  }

  #readAll(): void {
    let place: Place = "term";
    for (;;) {
      const spaced = this.#skipWhiteSpace();
      if (this.#position >= this.#text.length) return;
      if (place === "term") place = this.#term();
      else if (place === "operator") place = this.#operator();
      else if (place === "value") place = this.#value();
      else place = this.#joint(spaced);
    }
  }

  #skipWhiteSpace(): boolean {
    const start = this.#position;
    this.#position = runEnd(this.#text, start, WHITE_SPACE);
    if (this.#position === start) return false;
    if (this.#options.form === "path" && !this.#inBrackets) {
      throw fault(this.#text, start, faults.whiteSpaceInPath);
    }
    return true;
  }

  #term(): Place {
    const start = this.#position;
    const code = this.#text.charCodeAt(start);
    if (code === Code.leftParenthesis) return this.#open(LeftParenthesis);
    if (code === Code.rightParenthesis || code === Code.rightBracket) return this.#close(code);
    const nameStop = runEnd(this.#text, start, NAME);
    if (wordAt(this.#text, start, nameStop) === "not" && this.#isBeforeGroup(nameStop)) {
      this.#push(Not, nameStop);
      return "term";
    }
    const end = runEnd(this.#text, nameStop, URI);
    const path = nameStop === end ? readName(this.#text, start, end) : readPath(this.#text, start, end);
    expectPathBoundary(this.#text, end);
    if (this.#text.charCodeAt(end) !== Code.leftBracket) {
      this.#push(Attribute, end, path);
      return "operator";
    }
    if (path.subAttribute !== null) throw fault(this.#text, end, faults.filterBehindSubAttribute);
    this.#nest();
    this.#push(FilteredAttribute, end + 1, path);
    this.#inBrackets = true;
    return "term";
  }

  // `not` is the logical operator only where a group follows; elsewhere it may be an attribute's name.
  #isBeforeGroup(end: number): boolean {
    return this.#text.charCodeAt(runEnd(this.#text, end, WHITE_SPACE)) === Code.leftParenthesis;
  }

  #operator(): Place {
    const start = this.#position;
    const code = this.#text.charCodeAt(start);
    if (code === Code.rightParenthesis || code === Code.rightBracket) return this.#close(code);
    const end = runEnd(this.#text, start, NAME);
    const word = wordAt(this.#text, start, end);
    if (word === "pr") {
      this.#push(Present, end);
      return "joint";
    }
    if (!isOperator(word)) {
      const bracket = code === Code.leftBracket;
      throw fault(this.#text, start, bracket ? faults.whiteSpaceBeforeBracket : faults.operatorExpected);
    }
    if (!endsOrIs(this.#text, end, WHITE_SPACE)) throw fault(this.#text, end, faults.whiteSpaceBeforeValue);
    this.#push(Operator, end, word);
    return "value";
  }

  #value(): Place {
    const start = this.#position;
    const scanned = this.#scanValue(start);
    if (scanned === null) throw fault(this.#text, start, faults.valueExpected);
    if (!isValueBoundary(this.#text, scanned.end)) {
      throw fault(this.#text, scanned.end, faults.valueEndExpected);
    }
    this.#push(Value, scanned.end, scanned.value);
    return "joint";
  }

  #scanValue(start: number): ScannedValue | null {
    if (this.#text.charCodeAt(start) === Code.quote) return scanString(this.#text, start);
    const strict = scanBareLiteral(this.#text, start);
    if (strict !== null && isValueBoundary(this.#text, strict.end)) return strict;
    if (this.#options.tolerate?.has("lenientLiterals") !== true) return strict;
    const lenient =
      this.#text.charCodeAt(start) === Code.apostrophe
        ? scanSingleQuoted(this.#text, start)
        : scanWord(this.#text, start);
    if (lenient !== null) this.#use("lenientLiterals");
    return lenient;
  }

  #joint(spaced: boolean): Place {
    const start = this.#position;
    const code = this.#text.charCodeAt(start);
    if (code === Code.rightParenthesis || code === Code.rightBracket) return this.#close(code);
    const behindFilter = this.#tokens.at(-1)?.tokenType === RightBracket;
    if (!spaced) {
      if (behindFilter && code === Code.dot) return this.#dotName();
      throw fault(this.#text, start, faults.jointExpected);
    }
    const end = runEnd(this.#text, start, NAME);
    const word = wordAt(this.#text, start, end);
    if (word === "and" || word === "or") return this.#andOr(word, end);
    if (behindFilter && (word === "pr" || isOperator(word))) {
      this.#allowValuePathComparison(start);
      return this.#operator();
    }
    throw fault(this.#text, start, faults.jointExpected);
  }

  #andOr(word: "and" | "or", end: number): Place {
    if (!endsOrIs(this.#text, end, WHITE_SPACE)) throw fault(this.#text, end, faults.whiteSpaceAfterJoint);
    this.#push(word === "and" ? And : Or, end);
    return "term";
  }

  #dotName(): Place {
    const start = this.#position;
    if (this.#options.form === "filter") this.#allowValuePathComparison(start);
    const end = nameEnd(this.#text, start + 1);
    expectPathBoundary(this.#text, end);
    this.#push(DotName, end, this.#text.slice(start + 1, end));
    return "operator";
  }

  #allowValuePathComparison(offset: number): void {
    if (this.#options.form === "path" || this.#options.tolerate?.has("valuePathComparison") !== true) {
      throw fault(this.#text, offset, faults.comparisonBehindFilter);
    }
    this.#use("valuePathComparison");
  }

  #open(type: TokenType): Place {
    this.#nest();
    this.#push(type, this.#position + 1);
    return "term";
  }

  #close(code: number): Place {
    this.#depth -= 1;
    const bracket = code === Code.rightBracket;
    if (bracket) this.#inBrackets = false;
    this.#push(bracket ? RightBracket : RightParenthesis, this.#position + 1);
    return "joint";
  }

  // Depth is known before the parser recurses: it meets the Invalid token at the limit and stops.
  #nest(): void {
    this.#depth += 1;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
    if (this.#depth > this.#options.maxDepth) {
      throw fault(this.#text, this.#position, tooDeep(this.#options.maxDepth));
    }
  }

  #use(name: Tolerance): void {
    this.#used ??= new Set();
    this.#used.add(name);
  }

  #push(type: TokenType, end: number, payload?: unknown): void {
    this.#tokens.push(new FilterToken(type, this.#position, payload));
    this.#position = end;
  }
}
