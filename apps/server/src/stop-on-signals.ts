/**
 * Ends long commands at a place where they can go on later.
 * @module
 */

/** Aborts at the first signal; a second one ends the process as usual. */
export function stopOnSignals(): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  return {
    signal: controller.signal,
    end: () => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
    },
  };
}
