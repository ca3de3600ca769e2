/**
 * The changes of a resource by a request and behind it. The audit log knows the entries of a resource by an index, and an entry has
 * the position of its event, so that what others changed meanwhile is not gone through.
 * @module
 */
import type { EventFeed, FeedEvent } from "@scim/core";
import { statedEntry } from "../../audit/entry.ts";
import type { AuditStore } from "../../audit/port.ts";
import { positionBefore } from "../../feed/from-instant.ts";
import { PAGE_BYTES } from "../../feed/read-changes.ts";
import { readEvent } from "../../feed/read-event.ts";
import type { LoggedRequest } from "../entry.ts";

/** Where changes are found. */
export interface LaterSources {
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly audit: Pick<AuditStore, "find" | "read" | "end">;
}

/** A request about a resource. */
interface ResourceRequest extends LoggedRequest {
  readonly type: string;
  readonly resource: string;
}

/** Events, or entries, that are read at once. */
const PAGE = 500;

/**
 * The events of a resource that a request made, or that are later than it. Those behind it that changed reference collections alone
 * need not be among them.
 */
export async function* laterEvents(
  sources: LaterSources,
  request: ResourceRequest,
): AsyncGenerator<FeedEvent, void, undefined> {
  const { events, audit } = sources;
  const { tenant, at, type, resource, requestId } = request;
  const begin = await positionBefore(events, tenant, at);
  const [first] = await audit.read(tenant, { after: begin, limit: 1 });
  const end = (await audit.end(tenant))?.position ?? 0;
  for await (const event of allOf(sources, request, { begin, first: first?.position ?? null, end })) {
    if (event.type !== type || event.id !== resource) continue;
    if (event.origin?.request === requestId || event.at > at) yield event;
  }
}

const END = Number.MAX_SAFE_INTEGER;

/** Which part of the events has entries: all from the first entry behind the beginning up to the end of the chain. */
interface Stretch {
  readonly begin: number;
  readonly first: number | null;
  readonly end: number;
}

async function* allOf(
  sources: LaterSources,
  request: ResourceRequest,
  { begin, first, end }: Stretch,
): AsyncGenerator<FeedEvent, void, undefined> {
  const { tenant } = request;
  // Entries may be kept for a shorter time than events, and a program without an audit log makes none.
  yield* eventsBetween(sources.events, tenant, { after: begin, to: first === null ? END : first - 1 });
  if (first === null) return;
  yield* enteredEvents(sources, request, first - 1);
  yield* eventsBetween(sources.events, tenant, { after: Math.max(begin, end), to: END });
}

async function* eventsBetween(
  feed: Pick<EventFeed, "read">,
  tenant: string,
  { after, to }: { readonly after: number; readonly to: number },
): AsyncGenerator<FeedEvent, void, undefined> {
  for (let last = after; last < to;) {
    const page = await feed.read(tenant, { after: last, limit: PAGE, bytes: PAGE_BYTES });
    yield* page.filter(({ position }) => position <= to);
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.position;
  }
}

/** The events of a resource that have entries. */
async function* enteredEvents(
  { events, audit }: LaterSources,
  { tenant, type, resource, requestId }: ResourceRequest,
  after: number,
): AsyncGenerator<FeedEvent, void, undefined> {
  for (let place = after; ;) {
    const page = await audit.find(tenant, { type, id: resource, after: place, limit: PAGE });
    for (const entry of page.entries) {
      const stated = statedEntry(entry);
      const isOwn = stated?.origin?.request === requestId;
      // A group may have many members, which come and go: those events hold nothing of what it was.
      if (stated?.kind === "patched" && stated.changes.length === 0 && !isOwn) continue;
      const event = await readEvent(events, tenant, entry.position);
      if (event !== null) yield event;
    }
    if (!page.more) return;
    place = page.next;
  }
}
