/**
 * Work of an application that must not take for ever.
 * @module
 */

/** Longest time of a timer of Node.js, in milliseconds: 24 days. One for longer ends at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Calls back after a time, which may be as long as one likes: nobody waits for more than 24 days. */
export function callAfter(milliseconds: number, call: () => void): NodeJS.Timeout {
  return setTimeout(call, Math.min(milliseconds, LONGEST_DELAY));
}

/**
 * Looks at a time that an application gives, in milliseconds.
 * @throws TypeError where it is no number above 0: all work would be over before it begins
 */
export function requireTime(name: string, milliseconds: unknown): void {
  if (typeof milliseconds !== "number" || !(milliseconds > 0))
    throw new TypeError(`The time '${name}' is a number of milliseconds above 0.`);
}

/** How long work may take, and who waits for it. */
export interface TimeLimit {
  /** Most milliseconds. */
  readonly milliseconds: number;
  /** Ends the work when the client goes away. */
  readonly signal: AbortSignal | undefined;
  /** What to throw where the time is over. */
  readonly late: () => Error;
}

/**
 * Does work that is told by a signal when nobody waits for it any more. It is not waited for then, whether it listens
 * or not.
 * @throws what `late` makes; the reason of the client's signal
 */
export async function withinTime<Result>(
  { milliseconds, signal, late }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Result> | Result,
): Promise<Result> {
  signal?.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const controller = new AbortController();
  const end = (reason: unknown): void => {
    ended.reject(reason);
    controller.abort(reason);
  };
  const timer = callAfter(milliseconds, () => end(late()));
  const leave = (): void => end(signal?.reason);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([ended.promise, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}
