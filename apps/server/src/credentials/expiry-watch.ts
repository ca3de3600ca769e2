/**
 * Looks once a day for tokens and secrets of clients that end soon.
 * @module
 */
import { expiringCredentials, type ExpiringCredential, type ExpirySearch } from "@scim/tenancy";

/** Between two looks, in milliseconds (one day). */
const INTERVAL_MS = 86_400_000;

/** What the watch needs. */
export interface ExpiryWatchOptions extends Omit<ExpirySearch, "now"> {
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Told of each that ends soon, once a day, one after another. */
  readonly onExpiring: (credential: ExpiringCredential) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A watch that goes on. */
export interface ExpiryWatch {
  /** How many end soon, as of the last look. */
  count(): number;
  /** Ends it; resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** Looks now and then every day. */
export function startExpiryWatch({ onExpiring, onError, ...search }: ExpiryWatchOptions): ExpiryWatch {
  let [count, stopped] = [0, false];
  const look = async (): Promise<void> => {
    let found = 0;
    for await (const credential of expiringCredentials({ ...search, now: search.now() })) {
      if (stopped) return;
      found += 1;
      await onExpiring(credential);
    }
    count = found;
  };
  let looking: Promise<void> = Promise.resolve();
  const run = (): void => {
    looking = looking.then(look).catch(onError);
  };
  const timer = setInterval(run, INTERVAL_MS);
  // The timer must not hold up the end of the process.
  timer.unref();
  run();
  return {
    count: () => count,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
