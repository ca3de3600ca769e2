/**
 * The change feed: what happened behind a position, as long as it is kept.
 * @module
 */
import type { EventFeed, FeedEvent } from "@scim/core";

/** The events behind a position are not kept any more: the reader has to begin with a copy of the resources. */
export class PositionGone extends Error {
  override readonly name = "PositionGone";
  /** Position of the first event that is kept; one more than the last where none is. */
  readonly oldest: number;

  constructor(oldest: number) {
    super(
      `The events behind this position are not kept any more. Read the resources anew, then go on behind position ${oldest - 1}.`,
    );
    this.oldest = oldest;
  }
}

/** The position was never given: it may come from before a backup was restored. */
export class PositionAhead extends Error {
  override readonly name = "PositionAhead";
  /** The last position that was given; 0 for none. */
  readonly last: number;

  constructor(last: number) {
    super(`There is no such position yet: the last is ${last}.`);
    this.last = last;
  }
}

/** Which changes are read. */
export interface ChangesRequest {
  /** Those behind this position; null: from the first that is kept. */
  readonly since: number | null;
  /** At most so many: 1 or more. */
  readonly limit: number;
  /** Bytes of the JSON that events tell by which the page ends. Default {@link PAGE_BYTES}. */
  readonly bytes?: number | undefined;
}

/** Changes, and where to go on. */
export interface ChangesPage {
  /** Fewer than were asked for also where they come to so many bytes. */
  readonly events: readonly FeedEvent[];
  /** What `since` is in the next request. */
  readonly next: number;
  /** Whether there is more behind it already. */
  readonly more: boolean;
}

/**
 * Where a page ends early: bytes of the JSON that its events tell (2 MiB). Each reader that is slow holds a page in memory.
 * Pages of the audit log end there too.
 */
export const PAGE_BYTES = 2_097_152;

/**
 * Reads changes.
 * @throws PositionGone, PositionAhead
 */
export async function readChanges(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  { since, limit, bytes = PAGE_BYTES }: ChangesRequest,
): Promise<ChangesPage> {
  // Read first: whatever lies up to it and is not found below was removed.
  const head = await feed.head(tenant);
  if (since !== null && since > head) throw new PositionAhead(head);
  const events = await feed.read(tenant, { after: since ?? 0, limit, bytes });
  const first = events[0]?.position ?? head + 1;
  // Positions have no gaps: where one lies before the first, events went.
  if (since !== null && first > since + 1) throw new PositionGone(first);
  const next = events.at(-1)?.position ?? head;
  return { events, next, more: next < head };
}

/** How changes are followed. */
export interface FollowRequest extends ChangesRequest {
  /** Waits until the feed is looked at again; rejects, or resolves, where the reader goes away. */
  readonly pause: () => Promise<void>;
  /** Ends the following. */
  readonly signal: AbortSignal;
}

/**
 * Follows changes: a page for each look, empty where nothing new happened, until the signal ends it. The next look is
 * made when the reader asks for it, so that a slow reader is never ahead of what it has taken.
 * @throws PositionGone, PositionAhead
 */
export async function* followChanges(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  { since, limit, bytes, pause, signal }: FollowRequest,
): AsyncGenerator<ChangesPage, void, undefined> {
  let next = since;
  while (!signal.aborted) {
    const page = await readChanges(feed, tenant, { since: next, limit, bytes });
    yield page;
    next = page.next;
    if (!page.more && !signal.aborted) await pause();
  }
}
