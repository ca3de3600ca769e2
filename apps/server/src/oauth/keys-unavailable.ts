/**
 * What a token is answered whose issuer's keys cannot be read.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** Not the client's fault, and soon over: it is told to send the request again. */
export function keysUnavailable(cause: unknown): ScimError {
  return new ScimError(
    "unavailable",
    "The public keys of the token's issuer cannot be read; send the request again.",
    { cause, headers: { "retry-after": "5" } },
  );
}
