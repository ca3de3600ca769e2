/**
 * What guards need now and then: the end of held changes that nobody sends any more.
 * @module
 */
import type { GuardStore } from "./port.ts";

/** What is forgotten. */
export interface HeldRetention {
  readonly guard: Pick<GuardStore, "purge">;
  /** Every tenant, by name. */
  readonly tenants: AsyncIterable<string>;
  /** Milliseconds that a held change is kept since it was sent last. */
  readonly keep: number;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Ends it between two steps. */
  readonly isStopped: () => boolean;
}

/** Changes that one transaction forgets. */
const BATCH = 500;

/** Forgets held changes that were not sent again for long, batch by batch. Resolves to how many. */
export async function purgeHeld({ guard, tenants, keep, now, isStopped }: HeldRetention): Promise<number> {
  const before = new Date(now() - keep).toISOString();
  let removed = 0;
  for await (const tenant of tenants) {
    let changes = BATCH;
    while (changes >= BATCH && !isStopped()) {
      changes = await guard.purge(tenant, before, BATCH);
      removed += changes;
    }
  }
  return removed;
}
