/**
 * The last of what happened to a tenant's resources.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { type ChangesPage, PAGE_BYTES } from "@scim/events";

/** The last events, as a page of them; older ones among them may be gone already. Of 0, the position alone. */
export async function lastChanges(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  count: number,
): Promise<ChangesPage> {
  const head = await feed.head(tenant);
  const events =
    count === 0
      ? []
      : await feed.read(tenant, { after: Math.max(0, head - count), limit: count, bytes: PAGE_BYTES });
  const next = events.at(-1)?.position ?? head;
  return { events, next, more: next < head };
}
