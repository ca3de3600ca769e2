/**
 * Turns what Chevrotain reports into a `FilterSyntaxError`.
 * @module
 */
import { tokenLabel } from "chevrotain";
import type { IParserErrorMessageProvider, IRecognitionException, TokenType } from "chevrotain";
import { fault } from "./fault.ts";
import { faults } from "./faults.ts";
import { FilterSyntaxError } from "./syntax-error.ts";
import { FilteredAttribute, FilterToken } from "./tokens.ts";

// Chevrotain's errors carry text only, so the expected labels travel in it, one a line.
const SEPARATOR = "\n";

function labels(types: readonly (TokenType | undefined)[]): string {
  const names = types.flatMap((type) => (type === undefined ? [] : [tokenLabel(type)]));
  return [...new Set(names)].join(SEPARATOR);
}

/** Lists what a rule would have taken, for {@link toSyntaxError}. */
export const errorMessages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => labels([expected]),
  buildNotAllInputParsedMessage: () => "the end",
  buildNoViableAltMessage: ({ expectedPathsPerAlt }) =>
    labels(expectedPathsPerAlt.flatMap((paths) => paths.map(([first]) => first))),
  buildEarlyExitMessage: ({ expectedIterationPaths }) =>
    labels(expectedIterationPaths.map(([first]) => first)),
};

/** The first fault of a text: the lexer's where the parser stopped at it, else the parser's own. */
export function toSyntaxError(text: string, exception: IRecognitionException): FilterSyntaxError {
  const { token } = exception;
  if (token instanceof FilterToken && token.payload instanceof FilterSyntaxError) return token.payload;
  const offset = token instanceof FilterToken ? token.startOffset : text.length;
  if (token.tokenType === FilteredAttribute) return fault(text, offset, faults.valueFilterNotAllowed);
  const expected = exception.message.split(SEPARATOR);
  return fault(text, offset, { message: `Expected ${expected.join(" or ")}`, expected });
}
