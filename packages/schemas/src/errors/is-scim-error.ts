/**
 * Tells a ScimError from anything else that was thrown.
 * @module
 */
import { ERROR_CODES } from "./codes.ts";
import type { ScimError } from "./scim-error.ts";

/**
 * Whether something thrown is a {@link ScimError}, also one of another copy of this package, for which
 * `instanceof` would be false.
 *
 * @example
 * if (isScimError(error) && error.code === "uniqueness") return existing;
 */
export function isScimError(error: unknown): error is ScimError {
  return (
    error instanceof Error &&
    error.name === "ScimError" &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(ERROR_CODES, error.code)
  );
}
