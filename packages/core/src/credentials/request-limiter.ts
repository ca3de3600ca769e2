/**
 * How many requests a connection may send: the port between whoever counts them and whoever answers.
 * @module
 */
import type { Principal } from "./principal.ts";

/** A rate of requests. */
export interface RequestRate {
  /** Requests in each second, on the long run; above 0. */
  readonly perSecond: number;
  /** Requests that may come at once after a pause; at least 1. */
  readonly burst: number;
}

/** A request that comes too early. */
export interface TooManyRequests {
  /** What was counted: requests of a connection, or refused credentials of an address. */
  readonly policy: "requests" | "credentials";
  /** Seconds until the next request is taken, at least 1. */
  readonly retryAfter: number;
  /** Most requests at once. */
  readonly quota: number;
  /** Seconds in which the whole quota comes back. */
  readonly window: number;
}

/** A batch of more requests than its sender may ever send at once: to come again later is of no use. */
export interface BatchTooLong {
  /** Most requests of a batch, the first one included. */
  readonly most: number;
}

/** Counts requests. */
export interface RequestLimiter {
  /** Counts a request of a known caller. Answers null where it may go on. */
  admit(caller: Pick<Principal, "tenant" | "connection" | "rate">): TooManyRequests | null;
  /**
   * Counts the other requests of a batch, whose first one was admitted: all of them, or none, so that one that is refused takes
   * nothing from the next attempt. Answers null where they may go on; else when the whole batch may come again, its first
   * request included.
   */
  admitRest(
    caller: Pick<Principal, "tenant" | "connection" | "rate">,
    count: number,
  ): TooManyRequests | BatchTooLong | null;
  /**
   * Counts a credential that was refused. Answers null where its sender may be told so.
   * @param address network address of the sender
   * @param token the text as it was sent; only its beginning is kept
   */
  refused(address: string, token: string): TooManyRequests | null;
}

/**
 * What tells a client to slow down: beside `Retry-After` (RFC 6585 §4) the fields of the RateLimit header draft
 * (draft-ietf-httpapi-ratelimit-headers): the quota, the seconds in which the whole of it comes back, and that none of
 * it is left.
 */
export function rateLimitHeaders(limit: TooManyRequests): Readonly<Record<string, string>> {
  const { policy, retryAfter, quota, window } = limit;
  return {
    "retry-after": String(retryAfter),
    ratelimit: `"${policy}";r=0;t=${retryAfter}`,
    "ratelimit-policy": `"${policy}";q=${quota};w=${window}`,
  };
}
