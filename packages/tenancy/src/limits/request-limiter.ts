/**
 * Counts requests of connections and refused credentials, in the memory of one process.
 * @module
 */
import type { RequestLimiter, RequestRate, TooManyRequests } from "@scim/core";
import { tokenPrefix } from "../credentials/token-text.ts";

/** What a limiter is made of. */
export interface RequestLimiterOptions {
  /** The present, in milliseconds. */
  readonly now: () => number;
  /** The rate of connections that have none of their own; null for no limit. */
  readonly fallback: RequestRate | null;
  /** Processes that serve the same connections: each lets its share pass. Default 1. */
  readonly processes?: number;
  /** Refused credentials of an address and the beginning of a token. Default 10 at once and one each 3 seconds. */
  readonly refusals?: RequestRate;
}

const REFUSALS: RequestRate = { perSecond: 1 / 3, burst: 10 };

/** Addresses and beginnings of tokens that are counted at once; the oldest are forgotten. */
const MOST_REFUSED = 10_000;
/** Connections that are counted at once: far more than one process serves in a minute. */
const MOST_CONNECTIONS = 100_000;

/**
 * Makes a limiter. A connection may send its burst at once, and then as many requests as its rate allows.
 *
 * Refused credentials are counted for each pair of address and beginning of a token, and never before a credential is
 * found out to be wrong: identity providers send the traffic of all their customers from few addresses, and no valid
 * token must wait for what others send.
 *
 * @example
 * const limiter = createRequestLimiter({ now: Date.now, fallback: { perSecond: 25, burst: 100 } });
 */
export function createRequestLimiter(options: RequestLimiterOptions): RequestLimiter {
  const { now, fallback, processes = 1, refusals = REFUSALS } = options;
  const connections = new Buckets(MOST_CONNECTIONS);
  const refused = new Buckets(MOST_REFUSED);
  return {
    admit: ({ tenant, connection, rate }) => {
      const whole = rate ?? fallback;
      if (whole === null) return null;
      const wait = connections.take(`${tenant} ${connection}`, shareOf(whole, processes), now());
      return wait === 0 ? null : tooMany("requests", whole, wait);
    },
    admitRest: ({ tenant, connection, rate }, count) => {
      const whole = rate ?? fallback;
      if (whole === null || count === 0) return null;
      const share = shareOf(whole, processes);
      // The first of them, which is counted by itself, fits in as well.
      if (count >= share.burst) return { most: share.burst };
      const wait = connections.take(`${tenant} ${connection}`, { ...share, count }, now());
      return wait === 0 ? null : tooMany("requests", whole, wait + 1000 / share.perSecond);
    },
    refused: (address, token) => {
      const wait = refused.take(`${address} ${tokenPrefix(token)}`, refusals, now());
      return wait === 0 ? null : tooMany("credentials", refusals, wait);
    },
  };
}

function shareOf({ perSecond, burst }: RequestRate, processes: number): RequestRate {
  return { perSecond: perSecond / processes, burst: Math.max(1, Math.floor(burst / processes)) };
}

function tooMany(policy: TooManyRequests["policy"], rate: RequestRate, waitMs: number): TooManyRequests {
  return {
    policy,
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
    quota: rate.burst,
    window: Math.max(1, Math.ceil(rate.burst / rate.perSecond)),
  };
}

/** Buckets that fill evenly, each kept as the instant at which it is full (the generic cell rate algorithm). */
class Buckets {
  readonly #fullAt = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes some out of a bucket, or one. Answers 0, or the milliseconds until there are as many: nothing is taken then. */
  take(key: string, { perSecond, burst, count = 1 }: RequestRate & { count?: number }, now: number): number {
    const each = 1000 / perSecond;
    const known = this.#fullAt.get(key) ?? now;
    // Neither a clock that was set back nor a rate that was slower before must lock anybody out for longer than a
    // whole bucket takes.
    const fullAt = Math.min(Math.max(known, now), now + each * burst);
    if (fullAt < known) this.#fullAt.set(key, fullAt);
    const wait = fullAt + each * count - (now + each * burst);
    // Instants are sums of fractions: what is less than a microsecond is no wait.
    if (wait > 0.001) return wait;
    // Put behind all others: the first of the map are those that were not asked for longest.
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt + each * count);
    if (this.#fullAt.size > this.#most) this.#forgetFirst();
    return 0;
  }

  #forgetFirst(): void {
    const [first] = this.#fullAt.keys();
    if (first !== undefined) this.#fullAt.delete(first);
  }
}
