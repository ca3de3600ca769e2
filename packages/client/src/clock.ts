/**
 * Time, as the client takes it: a test passes another one.
 * @module
 */

/** What time it is, and what comes later. Times are in milliseconds. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls a function once, later, and returns what calls that off. */
  after(ms: number, run: () => void): () => void;
}

/** Longest time of a timer: a longer one is taken for none, and runs at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of the platform. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > LONGEST_MS ? wait(left - LONGEST_MS) : run()),
        Math.min(left, LONGEST_MS),
      );
    };
    let timer: ReturnType<typeof setTimeout>;
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after a time; rejects with the signal's reason when it is aborted before. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(asError(signal.reason));
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(asError(signal?.reason));
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The work was given up.", { cause: reason });
}
