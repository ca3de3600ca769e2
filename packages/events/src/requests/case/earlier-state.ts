/**
 * What a resource was before a request: told backwards, from what is stored now and the images before each later change.
 * @module
 */
import {
  catalogFor,
  type CatalogSource,
  type CollectionChange,
  type EventFeed,
  type FeedEvent,
  type ResourceModel,
  type ResourceStore,
} from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import type { LoggedRequest } from "../entry.ts";
import { eventsFrom } from "../run-changes.ts";

/** A resource as it was before a request. It holds personal values. */
export interface EarlierState {
  readonly model: ResourceModel;
  readonly id: string;
  readonly body: JsonObject;
  /** What came to and went from its reference collections with the request: what is known of each by its id. */
  readonly collections: readonly KnownCollectionChange[];
}

/** Values that came to and went from a reference collection. */
export interface KnownCollectionChange {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Where states are found. */
export interface StateSources {
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly resources: Pick<ResourceStore, "read">;
  readonly catalog: CatalogSource;
}

/** The resource that a request is about, as it was before; none where it made it, or there was none. */
export async function readEarlierState(
  sources: StateSources,
  entry: LoggedRequest,
): Promise<EarlierState | null> {
  const { tenant, connection, type, resource, method } = entry;
  if (type === null || resource === null || !["PUT", "PATCH", "DELETE"].includes(method)) return null;
  const model = (await catalogFor(sources.catalog, tenant)).model(type);
  const later = await laterEvents(sources.events, entry);
  const own = later.find(({ origin }) => origin?.request === entry.requestId);
  const changed = later.find(({ kind, before }) => kind === "created" || before !== null);
  if (changed?.kind === "created") return null;
  const stored =
    changed?.before === undefined || changed.before === null
      ? await sources.resources.read(
          { tenant, connection, signal: undefined },
          { type, id: resource },
          NOTHING,
        )
      : null;
  const body = changed?.before ?? stored?.body;
  if (body === undefined) return null;
  return { model, id: resource, body, collections: own?.collections.map(knownChange) ?? [] };
}

const NOTHING = { collections: [], inverses: [] };

/** The changes of the resource by this request and all behind it. */
async function laterEvents(
  feed: Pick<EventFeed, "read" | "head">,
  { tenant, at, type, resource, requestId }: LoggedRequest,
): Promise<readonly FeedEvent[]> {
  const found: FeedEvent[] = [];
  for await (const event of eventsFrom(feed, tenant, at)) {
    if (event.type !== type || event.id !== resource) continue;
    if (event.origin?.request === requestId || event.at > at) found.push(event);
  }
  return found;
}

function knownChange({ path, added, removed }: CollectionChange): KnownCollectionChange {
  return {
    path,
    added: typeof added === "object" ? added : [],
    removed: typeof removed === "object" ? removed : [],
  };
}
