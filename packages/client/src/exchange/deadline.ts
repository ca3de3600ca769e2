/**
 * The time of one attempt, and the caller's signal, as one signal.
 * @module
 */
import type { Clock } from "../clock.ts";

/** Why an attempt was given up. */
export type GivenUp = "timeout" | "aborted";

/** Watches over an attempt until it is told to end. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the attempt was given up; null while it was not. */
  readonly givenUp: GivenUp | null;
  /** Must be called when the attempt is over. */
  end(): void;
}

/** Begins the time of an attempt, in milliseconds. */
export function deadlineOf(clock: Clock, timeout: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let givenUp: GivenUp | null = null;
  const giveUp = (why: GivenUp, reason: unknown): void => {
    givenUp ??= why;
    controller.abort(reason);
  };
  const onAbort = (): void => giveUp("aborted", caller?.reason);
  const cancel = clock.after(timeout, () => giveUp("timeout", new Error(`No answer within ${timeout} ms.`)));
  if (caller?.aborted === true) onAbort();
  else caller?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    get givenUp() {
      return givenUp;
    },
    end: () => {
      cancel();
      caller?.removeEventListener("abort", onAbort);
    },
  };
}
