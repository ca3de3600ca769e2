/**
 * The events of an instant and later, which no index knows: positions come in the order of commits, and so about in that of
 * times.
 * @module
 */
import type { EventFeed } from "@scim/core";

/** Milliseconds by which an event may be earlier than what is told of it: it is planned first, and clocks differ. */
export const MARGIN_MS = 120_000;

/** A position with no event of an instant, of some minutes before it, or later, at it or before: found by halving. */
export async function positionBefore(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  instant: string,
): Promise<number> {
  const from = new Date(Date.parse(instant) - MARGIN_MS).toISOString();
  let [low, high] = [0, await feed.head(tenant)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await feed.read(tenant, { after: middle, limit: 1 });
    if (event === undefined || event.at >= from) high = middle;
    else low = event.position;
  }
  return low;
}
