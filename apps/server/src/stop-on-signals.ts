/**
 * Ends long commands at a place where they can go on later.
 * @module
 */

/** By what a process is told to stop: a terminal that is closed is none to run on without. */
export const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Work whose signal aborts at the first signal to stop; a second one, whichever that is, ends the process as usual. A terminal
 * that is closed may say so behind the first: nobody is impatient.
 */
export async function stoppable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
    for (const signal of STOP_SIGNALS) if (signal !== "SIGHUP") process.off(signal, stop);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
}
