/**
 * What a caller is told when the database cannot serve it now.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** The error `unavailable` (503), which says when to try again; the cause is for the log. */
export function unavailable(detail: string, cause?: unknown): ScimError {
  return new ScimError("unavailable", detail, { cause, headers: { "Retry-After": "1" } });
}
