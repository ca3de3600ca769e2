/**
 * Positions that a reader of the audit log goes on from: one that was never given may come from before a backup was restored.
 * Nothing new would be told of it, until others have it again.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { PositionAhead } from "@scim/events";

/**
 * Requires that a position behind which nothing was found was given.
 * @param position null for none
 * @throws PositionAhead
 */
export async function requireGivenPosition(
  events: Pick<EventFeed, "head">,
  tenant: string,
  position: number | null,
): Promise<void> {
  const last = await events.head(tenant);
  if (position !== null && position > last) throw new PositionAhead(last);
}
