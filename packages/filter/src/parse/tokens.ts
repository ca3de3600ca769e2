/**
 * Token types, and the tokens that the lexer hands to the Chevrotain parser.
 * @module
 */
import { createToken, Lexer } from "chevrotain";
import type { IToken, TokenType } from "chevrotain";
import type { AttributePath, CompareOperator, Literal } from "../ast/nodes.ts";
import type { FilterSyntaxError } from "./syntax-error.ts";

/** A token type whose tokens carry a payload. The property only exists for the type checker. */
export interface PayloadTokenType<Payload> extends TokenType {
  readonly payloadType?: Payload;
}

// Labels are the words in which errors say what was expected.
function token(name: string, label: string): TokenType {
  return createToken({ name, label, pattern: Lexer.NA });
}

/** `[URN ":"] name ["." name]` */
export const Attribute: PayloadTokenType<AttributePath> = token("Attribute", "attribute path");
/** `[URN ":"] name "["` */
export const FilteredAttribute: PayloadTokenType<AttributePath> = token(
  "FilteredAttribute",
  "attribute path",
);
/** `"." name` behind a value filter. */
export const DotName: PayloadTokenType<string> = token("DotName", '"." and a sub-attribute');
export const Operator: PayloadTokenType<CompareOperator> = token(
  "Operator",
  "operator (eq, ne, co, sw, ew, gt, ge, lt, le)",
);
export const Present = token("Present", '"pr"');
export const Value: PayloadTokenType<Literal> = token(
  "Value",
  "value (a JSON string, number, true, false or null)",
);
export const And = token("And", '"and"');
export const Or = token("Or", '"or"');
/** `not`, only where a parenthesis follows: elsewhere it is an attribute's name. */
export const Not = token("Not", '"not"');
export const LeftParenthesis = token("LeftParenthesis", '"("');
export const RightParenthesis = token("RightParenthesis", '")"');
export const RightBracket = token("RightBracket", '"]"');
/** Where the lexer gave up. No rule takes it, so the parser stops there. */
export const Invalid: PayloadTokenType<FilterSyntaxError> = token("Invalid", "invalid text");

/** All of them, as the parser wants them. */
export const tokenTypes: readonly TokenType[] = [
  Attribute,
  FilteredAttribute,
  DotName,
  Operator,
  Present,
  Value,
  And,
  Or,
  Not,
  LeftParenthesis,
  RightParenthesis,
  RightBracket,
  Invalid,
];

/** A token: its type, where it begins, and what it means. */
export class FilterToken implements IToken {
  // Errors read the text by offset; nothing reads the image, so no copy is made of it.
  readonly image = "";
  readonly startOffset: number;
  readonly tokenTypeIdx: number;
  readonly tokenType: TokenType;
  /** As its type says, see {@link PayloadTokenType}. */
  readonly payload: unknown;

  constructor(tokenType: TokenType, startOffset: number, payload?: unknown) {
    this.startOffset = startOffset;
    // Set by createToken; the type only says that it may be missing before.
    this.tokenTypeIdx = tokenType.tokenTypeIdx ?? 0;
    this.tokenType = tokenType;
    this.payload = payload;
  }
}
