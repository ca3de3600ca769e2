/**
 * One way to word a syntax error: fault, position, remedy.
 * @module
 */
import { FilterSyntaxError } from "./syntax-error.ts";
import type { FilterSyntaxErrorCode } from "./syntax-error.ts";

/** What is wrong, in a sentence without its full stop, and what the grammar wants. */
export interface Fault {
  readonly message: string;
  readonly expected: readonly string[];
  readonly code?: FilterSyntaxErrorCode;
}

/** The error for a fault at an offset; the caller throws it. */
export function fault(text: string, offset: number, { message, expected, code }: Fault): FilterSyntaxError {
  return new FilterSyntaxError(`${message} (${placeOf(text, offset)}).`, {
    code: code ?? "syntax",
    text,
    offset,
    expected,
  });
}

function placeOf(text: string, offset: number): string {
  if (text === "") return "the text is empty";
  const length = String(text.length);
  return offset < text.length
    ? `at character ${String(offset + 1)} of ${length}`
    : `at the end, behind character ${length}`;
}
