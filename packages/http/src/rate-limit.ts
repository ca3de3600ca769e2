/**
 * The answer to requests that come too fast (RFC 6585 §4), with what a client needs to slow down.
 * @module
 */
import type { TooManyRequests } from "@scim/core";
import { ScimError } from "@scim/schemas";

const DETAILS: Readonly<Record<TooManyRequests["policy"], string>> = {
  requests: "The connection sends more requests than it may",
  credentials: "Too many credentials that are not valid came from this address",
};

/**
 * The error for a request that comes too early. Beside `Retry-After` it has the fields of the RateLimit header draft
 * (draft-ietf-httpapi-ratelimit-headers): the quota, the seconds in which the whole of it comes back, and that none of
 * it is left.
 */
export function tooManyRequests(limit: TooManyRequests): ScimError {
  const { policy, retryAfter, quota, window } = limit;
  return new ScimError("tooManyRequests", `${DETAILS[policy]}; send it again in ${retryAfter} s.`, {
    headers: {
      "retry-after": String(retryAfter),
      ratelimit: `"${policy}";r=0;t=${retryAfter}`,
      "ratelimit-policy": `"${policy}";q=${quota};w=${window}`,
    },
  });
}
