/**
 * What a caller is told when the database cannot serve it now.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** The error `unavailable` (503), which says after how many seconds to try again; the cause is for the log. */
export function unavailable(detail: string, cause?: unknown, retryAfter = 1): ScimError {
  return new ScimError("unavailable", detail, { cause, headers: { "retry-after": String(retryAfter) } });
}
