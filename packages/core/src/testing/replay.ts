/**
 * What a reader of events knows: the resources that they lead to.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { CollectionChange, FeedEvent } from "../store/event-feed.ts";

/** A resource as its events tell of it. */
export interface ReplayedResource {
  readonly type: string;
  readonly id: string;
  readonly version: string;
  readonly body: JsonObject;
  /** Ids by attribute path, in the order of adding; null where events only counted them. */
  readonly collections: ReadonlyMap<string, readonly string[] | null>;
}

/**
 * The live resources after events, which begin with a tenant's first and are in order of position. The key is type
 * and id: `User/…`.
 * @throws TypeError where they cannot be in order: a resource changes before it is made, or is made twice
 */
export function replayEvents(events: Iterable<FeedEvent>): ReadonlyMap<string, ReplayedResource> {
  const resources = new Map<string, ReplayedResource>();
  for (const event of events) {
    const name = `${event.type}/${event.id}`;
    const before = resources.get(name);
    if ((event.kind === "created") !== (before === undefined)) {
      throw new TypeError(`${name} is ${event.kind} at position ${event.position}, out of order`);
    }
    if (event.kind === "deleted") resources.delete(name);
    else resources.set(name, after(event, before));
  }
  return resources;
}

function after(event: FeedEvent, before: ReplayedResource | undefined): ReplayedResource {
  const collections = new Map(before?.collections);
  for (const change of event.collections) {
    collections.set(change.path, changed(collections.get(change.path), change));
  }
  const { type, id, version } = event;
  return { type, id, version, body: event.after ?? before?.body ?? {}, collections };
}

/** Undefined before the first value; null where it is not known. */
function changed(
  before: readonly string[] | null | undefined,
  { removed, added }: CollectionChange,
): readonly string[] | null {
  if (typeof added === "number" || typeof removed === "number") return null;
  if (removed === "all") return [...new Set(added)];
  if (before === null) return null;
  const values = new Set(before);
  for (const value of removed) values.delete(value);
  for (const value of added) values.add(value);
  return [...values];
}
