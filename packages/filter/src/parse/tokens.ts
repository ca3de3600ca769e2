/**
 * Token types, and the tokens that the lexer hands to the Chevrotain parser.
 * @module
 */
import { createToken, Lexer } from "chevrotain";
import type { IToken, TokenType } from "chevrotain";

// Labels are the words in which errors say what was expected.
function token(name: string, label: string): TokenType {
  return createToken({ name, label, pattern: Lexer.NA });
}

/** `[URN ":"] name ["." name]`; payload: AttributePath. */
export const Attribute = token("Attribute", "attribute path");
/** `[URN ":"] name "["`; payload: AttributePath. */
export const FilteredAttribute = token("FilteredAttribute", 'attribute path and "["');
/** `"." name` behind a value filter; payload: the name. */
export const DotName = token("DotName", '"." and a sub-attribute');
/** Payload: CompareOperator. */
export const Operator = token("Operator", "operator (eq, ne, co, sw, ew, gt, ge, lt, le)");
export const Present = token("Present", '"pr"');
/** Payload: Literal. */
export const Value = token("Value", "value (a JSON string, number, true, false or null)");
export const And = token("And", '"and"');
export const Or = token("Or", '"or"');
/** `not`, only where a parenthesis follows: elsewhere it is an attribute's name. */
export const Not = token("Not", '"not"');
export const LeftParenthesis = token("LeftParenthesis", '"("');
export const RightParenthesis = token("RightParenthesis", '")"');
export const RightBracket = token("RightBracket", '"]"');
/** Where the lexer gave up; payload: FilterSyntaxError. No rule takes it, so the parser stops here. */
export const Invalid = token("Invalid", "invalid text");

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
  readonly payload: unknown;

  constructor(tokenType: TokenType, startOffset: number, payload: unknown) {
    this.startOffset = startOffset;
    // Set by createToken; the type only says that it may be missing before.
    this.tokenTypeIdx = tokenType.tokenTypeIdx ?? 0;
    this.tokenType = tokenType;
    this.payload = payload;
  }
}
