/**
 * Ends long commands at a place where they can go on later.
 * @module
 */

/** By what a process is told to stop: a terminal that is closed is none to run on without. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Aborts at the first signal; a second one ends the process as usual. */
export function stopOnSignals(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    },
  };
}
