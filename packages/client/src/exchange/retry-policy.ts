/**
 * Which requests are sent again, and when (RFC 9110 §9.2.2, §10.2.3).
 * @module
 */

/**
 * What becomes of a request that is done twice.
 * - `safe`: it changes nothing.
 * - `same`: the second time changes nothing more; or a version lets it through once.
 * - `more`: the second time may change more, as a second resource that is created.
 */
export type Repetition = "safe" | "same" | "more";

/** How often and when requests are sent again. Times are in milliseconds. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time included: 1 or more. Default 4. */
  readonly attempts?: number;
  /** Wait before the second attempt, on average twice that before the third, and so on. Default 250. */
  readonly baseDelay?: number;
  /** Longest wait that the client decides itself. Default 20,000. */
  readonly maxDelay?: number;
  /** Longest wait that the service may ask for by `Retry-After`; where it asks for more, its error is thrown. Default 60,000. */
  readonly maxRetryAfter?: number;
}

/** {@link RetryOptions} with every default. */
export type RetryPolicy = Required<RetryOptions>;

/** Retries with every default in the place of what is left out or undefined. */
export function retryPolicy(options: RetryOptions = {}): RetryPolicy {
  const { attempts = 4, baseDelay = 250, maxDelay = 20_000, maxRetryAfter = 60_000 } = options;
  return { attempts, baseDelay, maxDelay, maxRetryAfter };
}

/** Statuses by which the service says that it has not done what it was asked. */
const NOT_DONE: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** Statuses of proxies that waited for the service, which may have done it; those from 520 on are of proxies that have more words for it. */
const PERHAPS_DONE: ReadonlySet<number> = new Set([502, 504, 520, 521, 522, 523, 524]);

/** Whether it is unknown what became of a request that was answered so. */
export function isUnknownOutcome(status: number): boolean {
  return PERHAPS_DONE.has(status);
}

/** Whether a request that was answered so may be sent again. */
export function mayRepeatAfter(status: number, repetition: Repetition): boolean {
  if (NOT_DONE.has(status)) return true;
  if (PERHAPS_DONE.has(status)) return repetition !== "more";
  return status === 500 && repetition === "safe";
}

/** How long to wait, and why. */
export interface Wait {
  readonly attempt: number;
  /** What the service asked for; null for nothing. */
  readonly retryAfterMs: number | null;
  /** A number from 0 to below 1. */
  readonly random: number;
}

/**
 * Milliseconds until the next attempt, or null where the service asks for too long a wait. What the service asks for
 * is a least: some time by chance comes on top, so that not all come back at once.
 */
export function waitBefore(policy: RetryPolicy, { attempt, retryAfterMs, random }: Wait): number | null {
  const ceiling = Math.min(policy.maxDelay, policy.baseDelay * 2 ** (attempt - 1));
  if (retryAfterMs === null) return Math.round(ceiling / 2 + (random * ceiling) / 2);
  if (retryAfterMs > policy.maxRetryAfter) return null;
  return retryAfterMs + Math.round(random * Math.min(ceiling, 1000));
}

/** A date begins with the name of the day, and is of Greenwich whether it says so or not (RFC 9110 §5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Reads `Retry-After`: seconds, or a date, which is of the service's clock. `Date` tells what that says; without it, it counts as right.
 * Milliseconds, or null where it says nothing that can be read.
 * @param headers those of the answer, by lower-case name
 */
export function retryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const date = instantOf(text);
  if (date === null) return null;
  return Math.max(0, date - (instantOf(headers["date"]?.trim() ?? "") ?? nowMs));
}

/** The instant of a date of HTTP; null where the text is none. */
function instantOf(text: string): number | null {
  // `Date.parse` finds a date in many a text that is none, such as '1.5'.
  if (!HTTP_DATE.test(text)) return null;
  const date = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : date;
}
