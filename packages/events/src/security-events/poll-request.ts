/**
 * What a receiver asks for in a poll (RFC 8936 §2.2).
 * @module
 */

/** A poll. */
export interface PollRequest {
  /** At most so many tokens; 0: none, it acknowledges alone. */
  readonly maxEvents: number;
  /** Whether the answer must not wait for an event. */
  readonly returnImmediately: boolean;
  /** Ids of tokens that the receiver has. */
  readonly ack: readonly string[];
  /** Ids of tokens that it refuses, and why. */
  readonly setErrs: ReadonlyMap<string, string>;
}

/** A poll that cannot be understood (RFC 8936 §2.5.1). */
export class InvalidPoll extends Error {
  override readonly name = "InvalidPoll";
}

/** Most tokens of one answer. */
const MOST_EVENTS = 1000;
/** Tokens of an answer where the receiver does not say. */
const DEFAULT_EVENTS = 100;
/** Most tokens that one poll settles. */
const MOST_SETTLED = 10_000;

/**
 * Reads the body of a poll.
 * @throws InvalidPoll
 */
export function readPoll(body: unknown): PollRequest {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new InvalidPoll("The body must be a JSON object.");
  }
  const members = new Map<string, unknown>(Object.entries(body));
  const request = {
    maxEvents: Math.min(MOST_EVENTS, countOf(members.get("maxEvents"))),
    returnImmediately: flagOf(members.get("returnImmediately")),
    ack: textsOf(members.get("ack")),
    setErrs: errorsOf(members.get("setErrs")),
  };
  if (request.ack.length + request.setErrs.size <= MOST_SETTLED) return request;
  throw new InvalidPoll(`One poll may settle at most ${MOST_SETTLED} tokens.`);
}

function countOf(value: unknown): number {
  if (value === undefined) return DEFAULT_EVENTS;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidPoll("'maxEvents' must be a whole number from 0 on.");
}

function flagOf(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw new InvalidPoll("'returnImmediately' must be true or false.");
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw new InvalidPoll("'ack' must be a list of token ids.");
}

function errorsOf(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badErrors();
  const errors = Object.entries(value).map(([jti, error]: [string, unknown]): [string, string] => {
    if (typeof error !== "object" || error === null || !("err" in error)) throw badErrors();
    if (typeof error.err !== "string") throw badErrors();
    return [jti, error.err];
  });
  return new Map(errors);
}

function badErrors(): InvalidPoll {
  return new InvalidPoll("'setErrs' must hold an object with 'err' for each token id.");
}
