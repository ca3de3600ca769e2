/**
 * Reads filters, PATCH paths and attribute paths.
 * @module
 */
import type { AttributePath, FilterNode, PatchPath } from "../ast/nodes.ts";
import { fault } from "./fault.ts";
import { tooLong } from "./faults.ts";
import { FilterGrammar } from "./grammar.ts";
import { tokenize } from "./lexer.ts";
import type { LexerOptions } from "./lexer.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_LENGTH, MAX_DEPTH_BOUND } from "./options.ts";
import type { ParseOptions, Tolerance } from "./options.ts";
import { toSyntaxError } from "./recognition.ts";
import { FilterSyntaxError } from "./syntax-error.ts";
import { Value } from "./tokens.ts";

/** A tree, and what a cache must know to hand it out under other options. */
export interface Parsed<Node> {
  readonly node: Node;
  /** How deep the text is nested. */
  readonly depth: number;
  /** The tolerances that the text needed. */
  readonly used: readonly Tolerance[];
}

/** A production to read: its rule, and whether white space may stand outside brackets. */
export interface Production<Node> {
  readonly form: LexerOptions["form"];
  readonly rule: (grammar: FilterGrammar) => Node;
}

export const filterProduction: Production<FilterNode> = {
  form: "filter",
  rule: (grammar) => grammar.filter(),
};

export const patchPathProduction: Production<PatchPath> = {
  form: "path",
  rule: (grammar) => grammar.patchPath(),
};

export const attributePathProduction: Production<AttributePath> = {
  form: "path",
  rule: (grammar) => grammar.attributePath(),
};

/**
 * Reads a filter (RFC 7644 §3.4.2.2).
 * @throws {@link FilterSyntaxError} where the text breaks the grammar or a limit.
 * @example
 * ```ts
 * parseFilter('emails[type eq "work"] and not (title pr)');
 * ```
 */
export function parseFilter(text: string, options: ParseOptions = {}): FilterNode {
  return parse(filterProduction, text, options).node;
}

/**
 * Reads the `path` of a PATCH operation (RFC 7644 §3.5.2 Figure 7). The sub-attribute of
 * `name.familyName` is in `path`, that of `emails[type eq "work"].value` in `subAttribute`. An extension
 * URN alone is read as an attribute path too: its last part is the `attribute`.
 * @throws {@link FilterSyntaxError} where the text breaks the grammar or a limit.
 */
export function parsePatchPath(text: string, options: ParseOptions = {}): PatchPath {
  return parse(patchPathProduction, text, options).node;
}

/**
 * Reads one attribute path, as in `sortBy`, `attributes` and `excludedAttributes` (RFC 7644 §3.10).
 * @throws {@link FilterSyntaxError} where the text breaks the grammar or a limit.
 */
export function parseAttributePath(text: string, options: ParseOptions = {}): AttributePath {
  return parse(attributePathProduction, text, options).node;
}

/**
 * What reading a text comes to; null where it breaks the grammar or a limit. For those to whom such a text is not an error but one
 * that names nothing.
 * @param read reads a text with one of the functions above, or with those of a `FilterCache`; what else it throws is thrown on
 * @example
 * ```ts
 * parsedOrNull(() => parseAttributePath("name.familyName"))?.subAttribute; // "familyName"
 * parsedOrNull(() => parseAttributePath("name..x")); // null
 * ```
 */
export function parsedOrNull<Tree>(read: () => Tree): Tree | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FilterSyntaxError) return null;
    throw error;
  }
}

/** Where a value stands in a text: its characters from `start` up to, and without, `end`. */
export interface LiteralPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the values of comparisons stand in a filter, or in the path of a PATCH operation, quotes included: in the order of the
 * text, which is that of the tree too. For those who show what a client sent, in its spelling, and not its values.
 * @param form `path` for the path of a PATCH operation
 * @param options as they read the text: of one that they do not read, the places up to the fault are told
 * @example
 * ```ts
 * literalPlaces('userName eq "ines"', "filter"); // [{ start: 12, end: 18 }]
 * ```
 */
export function literalPlaces(
  text: string,
  form: LexerOptions["form"],
  { maxDepth = DEFAULT_MAX_DEPTH, tolerate }: ParseOptions = {},
): readonly LiteralPlace[] {
  const { tokens } = tokenize(text, { form, maxDepth: Math.min(maxDepth, MAX_DEPTH_BOUND), tolerate });
  return tokens.flatMap(({ tokenType, startOffset: start }, index) => {
    if (tokenType !== Value) return [];
    const upTo = tokens[index + 1]?.startOffset ?? text.length;
    return [{ start, end: start + text.slice(start, upTo).trimEnd().length }];
  });
}

/** Reads a text and tells `onTolerance` what it needed. */
export function parse<Node>(production: Production<Node>, text: string, options: ParseOptions): Parsed<Node> {
  const maxLength = options.maxLength ?? DEFAULT_MAX_LENGTH;
  if (text.length > maxLength) throw fault(text, maxLength, tooLong(maxLength));
  const maxDepth = Math.min(options.maxDepth ?? DEFAULT_MAX_DEPTH, MAX_DEPTH_BOUND);
  const { tokens, depth, used } = tokenize(text, {
    form: production.form,
    maxDepth,
    tolerate: options.tolerate,
  });
  const grammar = theGrammar();
  grammar.input = tokens;
  const node = production.rule(grammar);
  const [exception] = grammar.errors;
  // Values may be personal: the parser, which lives on, keeps none.
  tokens.length = 0;
  if (exception !== undefined) throw toSyntaxError(text, exception);
  for (const name of used) options.onTolerance?.(name);
  return { node, depth, used };
}

// Building a parser analyses its grammar, which takes milliseconds: one serves all calls, made by the first.
let shared: FilterGrammar | undefined;

function theGrammar(): FilterGrammar {
  shared ??= new FilterGrammar();
  return shared;
}
