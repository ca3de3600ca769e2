/**
 * What a reader gets of the events of a tenant that follows them.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../../src/store.ts";

/**
 * Follows the events of a tenant until there are so many. Answers the ids that they name, in order.
 * @throws Error where a position does not follow the one before
 */
export async function followedEvents(
  store: Store,
  tenant: string,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const events = await store.events.read(tenant, { after: ids.length, limit: 97 });
    for (const { position, id } of events) {
      ids.push(id);
      if (position !== ids.length) throw new Error(`Position ${position} came as number ${ids.length}`);
    }
    if (events.length === 0) await delay(20);
  }
  return ids;
}
