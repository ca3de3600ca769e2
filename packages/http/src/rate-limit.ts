/**
 * The answer to requests that come too fast (RFC 6585 §4), with what a client needs to slow down.
 * @module
 */
import { rateLimitHeaders, type TooManyRequests } from "@scim/core";
import { ScimError } from "@scim/schemas";

const DETAILS: Readonly<Record<TooManyRequests["policy"], string>> = {
  requests: "The connection sends more requests than it may",
  credentials: "Too many credentials that are not valid came from this address",
};

/** The error for a request that comes too early. */
export function tooManyRequests(limit: TooManyRequests): ScimError {
  return new ScimError(
    "tooManyRequests",
    `${DETAILS[limit.policy]}; send it again in ${limit.retryAfter} s.`,
    { headers: rateLimitHeaders(limit) },
  );
}
