/**
 * What a resource was before a request: told backwards, from what is stored now and the images before each later change.
 * @module
 */
import {
  catalogFor,
  type CatalogSource,
  type CollectionChange,
  type FeedEvent,
  type ResourceModel,
  type ResourceStore,
  rowEnds,
} from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import type { LoggedRequest } from "../entry.ts";
import { laterEvents, type LaterSources } from "./later-events.ts";

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
export interface StateSources extends LaterSources {
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
  if (model.rows !== null) return entry.status === 404 ? null : earlierRow(model, resource);
  let own: FeedEvent | null = null;
  for await (const event of laterEvents(sources, { ...entry, type, resource })) {
    if (event.origin?.request === entry.requestId) own ??= event;
    if (event.kind === "created") return null;
    if (event.before !== null) return earlierState({ model, id: resource, body: event.before }, own);
  }
  const stored = await sources.resources.read(
    { tenant, connection, signal: undefined },
    { type, id: resource },
    NOTHING,
  );
  return stored === null ? null : earlierState({ model, id: resource, body: stored.body }, own);
}

/** A row is there or not, and its id names both of its ends; its collection has its events. */
function earlierRow(model: ResourceModel, id: string): EarlierState | null {
  const ends = rowEnds(id);
  if (model.rows === null || ends === null) return null;
  const { owner, value } = model.rows;
  const body = { [owner.path]: { value: ends.owner }, [value.path]: { value: ends.value } };
  return { model, id, body, collections: [] };
}

const NOTHING = { collections: [], inverses: [] };

function earlierState(state: Omit<EarlierState, "collections">, own: FeedEvent | null): EarlierState {
  return { ...state, collections: own?.collections.map(knownChange) ?? [] };
}

function knownChange({ path, added, removed }: CollectionChange): KnownCollectionChange {
  return {
    path,
    added: typeof added === "object" ? added : [],
    removed: typeof removed === "object" ? removed : [],
  };
}
