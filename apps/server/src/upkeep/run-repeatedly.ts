/**
 * Work that is done now and again beside the requests.
 * @module
 */

/** What is done. */
export interface RepeatedWork {
  /** Does it once; it looks now and then whether it has been stopped. */
  readonly run: (isStopped: () => boolean) => Promise<unknown>;
  /** Between two beginnings, in milliseconds. */
  readonly interval: number;
  /** Told of what failed; it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** Begins at once. Returns what stops it; it resolves when nothing is under way any more. */
export function runRepeatedly({ run, interval, onError }: RepeatedWork): () => Promise<void> {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const begin = (): void => {
    running = running.then(() => run(() => stopped)).catch(onError);
  };
  const timer = setInterval(begin, interval);
  // The timer must not hold up the end of the process.
  timer.unref();
  begin();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
