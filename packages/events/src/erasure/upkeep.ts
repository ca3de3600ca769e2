/**
 * What erasures need behind their end.
 * @module
 */
import { type Erasing, eraseSubject } from "./erase.ts";
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

/** What is needed to do again what ended half-way. */
export interface UnendedErasures extends Omit<ErasureUpkeep, "erasures"> {
  readonly erasing: Erasing;
  /** Told of what failed; the others are done, and it is tried again the next time. */
  readonly onError: (error: unknown) => void;
}

/** Milliseconds that an erasure takes at most (one hour). One that takes longer is done twice, which does no harm. */
const LONGEST_MS = 3_600_000;

/**
 * Does again what ended half-way an hour ago or longer, since the process that did it died or the database was away.
 * Every process that serves looks every few minutes.
 * @returns how many
 */
export async function endErasures(upkeep: UnendedErasures): Promise<number> {
  const { erasing, tenants, now, isStopped, onError } = upkeep;
  const before = new Date(now() - LONGEST_MS).toISOString();
  let ended = 0;
  for await (const tenant of tenants) {
    for (const subject of await erasing.erasures.begun(tenant, before)) {
      if (isStopped()) return ended;
      try {
        await eraseSubject(erasing, subject);
        ended += 1;
      } catch (error) {
        onError(error);
      }
    }
  }
  return ended;
}
