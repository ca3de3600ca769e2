/**
 * What erasures need behind their end.
 * @module
 */
import type { ErasureStore } from "./port.ts";

/** What the upkeep works with. */
export interface ErasureUpkeep {
  readonly erasures: Pick<ErasureStore, "tidy">;
  /** The names of all tenants. */
  readonly tenants: AsyncIterable<string>;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Ends it between two steps. */
  readonly isStopped: () => boolean;
}

/** Milliseconds that an entry of the request log is held at most until it is written (one hour). */
const LONGEST_HELD_MS = 3_600_000;

/** Ends what erasures had to leave for later. Every process that serves does it every few minutes. */
export async function tidyErasures({ erasures, tenants, now, isStopped }: ErasureUpkeep): Promise<void> {
  const before = new Date(now() - LONGEST_HELD_MS).toISOString();
  for await (const tenant of tenants) {
    if (isStopped()) return;
    await erasures.tidy(tenant, before);
  }
}
