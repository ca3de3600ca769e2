/**
 * How bodies are refused that are not JSON as it has to be; `place` tells where, and `what` in what.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** The body is not encoded as JSON must be. */
export function notUtf8(cause?: unknown, what = "body"): ScimError {
  const detail = `The ${what} is not valid UTF-8: it must be text in that encoding, and not compressed.`;
  return new ScimError("invalidSyntax", detail, { cause });
}

/** Arrays and objects nest too deep. */
export function nestsTooDeep(maxDepth: number, place: string, what = "body"): ScimError {
  return new ScimError("invalidSyntax", `The ${what} nests deeper than ${maxDepth} levels ${place}.`);
}

/** The text is no JSON, or a member name occurs twice; without a problem nobody knows why. */
export function syntaxFault(problem: string | null, place: string, what = "body"): ScimError {
  const fault = problem === null ? "it cannot be read" : `${problem} ${place}`;
  return new ScimError("invalidSyntax", `The ${what} is not valid JSON: ${fault}.`);
}

/** A number loses digits in a double. */
export function inexactNumber(place: string): ScimError {
  return new ScimError(
    "invalidValue",
    `The number ${place} has more digits or a greater exponent than a double holds.`,
  );
}

/** A half of a surrogate pair is no character (RFC 7643 §2.3.1). */
export function halfPair(place: string): ScimError {
  return new ScimError(
    "invalidValue",
    `The escape ${place} is half of a surrogate pair, which is no character: write both halves.`,
  );
}
