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
  const place = offset >= text.length ? "at the end" : `at character ${String(offset + 1)}`;
  return new FilterSyntaxError(`${message} (${place} of ${String(text.length)}).`, {
    code: code ?? "syntax",
    text,
    offset,
    expected,
  });
}
