/**
 * The event of a position.
 * @module
 */
import type { EventFeed, FeedEvent } from "@scim/core";

/** Reads it; null where it is not kept, or was never given. */
export async function readEvent(
  feed: Pick<EventFeed, "read">,
  tenant: string,
  position: number,
): Promise<FeedEvent | null> {
  const [event] = await feed.read(tenant, { after: position - 1, limit: 1 });
  return event?.position === position ? event : null;
}
