/**
 * What a resource was before a request: told backwards, from what is stored now and the images before each later change.
 * @module
 */
import {
  catalogFor,
  type CatalogSource,
  type EventFeed,
  type FeedEvent,
  type ResourceModel,
  type ResourceStore,
} from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { LoggedRequest } from "../entry.ts";
import { eventsFrom } from "../run-changes.ts";

/** A resource as it was before a request. It holds personal values. */
export interface EarlierState {
  readonly model: ResourceModel;
  readonly id: string;
  readonly body: JsonObject;
  /** Values of reference collections that the request met, by path. */
  readonly members: ReadonlyMap<string, readonly string[]>;
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
  return { model, id: resource, body, members: membersBefore(model, entry, own) };
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

/** What the answer holds of each collection without what came, and what went. */
function membersBefore(
  { collections }: ResourceModel,
  { answer }: LoggedRequest,
  event: FeedEvent | undefined,
): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, readonly string[]>();
  for (const { node } of collections) {
    const change = event?.collections.find(({ path }) => path === node.path);
    const added = new Set(typeof change?.added === "object" ? change.added : []);
    const removed = typeof change?.removed === "object" ? change.removed : [];
    const stayed = answeredValues(answer?.json, node.path).filter((value) => !added.has(value));
    if (stayed.length + removed.length > 0) members.set(node.path, [...removed, ...stayed]);
  }
  return members;
}

function answeredValues(json: JsonValue | undefined, path: string): readonly string[] {
  const list = isJsonObject(json) ? json[path] : undefined;
  if (!isJsonArray(list)) return [];
  return list.flatMap((each) => {
    const value = isJsonObject(each) ? each["value"] : null;
    return typeof value === "string" ? [value] : [];
  });
}
