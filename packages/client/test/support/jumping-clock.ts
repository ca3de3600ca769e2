/**
 * A clock that jumps to whatever comes next as soon as nothing else is to be done.
 * @module
 */
import type { Clock } from "@scim/client";

/** A clock, and the waits it was asked for. */
export interface JumpingClock extends Clock {
  /** Times that were waited for to their end, in milliseconds, in order. */
  readonly waits: readonly number[];
}

export function jumpingClock(start = Date.UTC(2026, 0, 1)): JumpingClock {
  let now = start;
  const waits: number[] = [];
  const timers = new Map<object, { readonly at: number; readonly ms: number; readonly run: () => void }>();

  const jump = (): void => {
    const [next] = [...timers].toSorted(([, a], [, b]) => a.at - b.at);
    if (next === undefined) return;
    const [key, { at, ms, run }] = next;
    timers.delete(key);
    now = Math.max(now, at);
    waits.push(ms);
    run();
  };

  return {
    waits,
    now: () => now,
    after: (ms, run) => {
      const key = {};
      timers.set(key, { at: now + ms, ms, run });
      const handle = setImmediate(jump);
      return () => {
        timers.delete(key);
        clearImmediate(handle);
      };
    },
  };
}
