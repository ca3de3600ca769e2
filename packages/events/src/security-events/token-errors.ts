/**
 * Errors with which receivers refuse tokens.
 * @module
 */

/** The errors of RFC 8935 §2.4, and whether the same token may be taken later: keys and credentials are mended. */
export const TOKEN_ERRORS: ReadonlyMap<string, "failed" | "refused"> = new Map([
  ["invalid_request", "refused"],
  ["invalid_issuer", "refused"],
  ["invalid_audience", "refused"],
  ["access_denied", "refused"],
  ["invalid_key", "failed"],
  ["authentication_failed", "failed"],
]);
