/**
 * What the requests of a run changed, told from the events of the outbox, which hold what was before.
 * @module
 */
import {
  catalogFor,
  type CatalogSource,
  type CollectionChange,
  type EventFeed,
  type FeedEvent,
} from "@scim/core";
import { changesText } from "../audit/changes.ts";
import type { AuditChange } from "../audit/entry.ts";
import { modelOrNull } from "../audit/sensitivity.ts";
import { PAGE_BYTES } from "../feed/read-changes.ts";
import type { RequestRun } from "./entry.ts";
import type { RequestLogStore } from "./port.ts";
import { type PseudonymKeys, Pseudonyms } from "./redaction/pseudonyms.ts";

/** A change that a request of a run made. Personal values are pseudonyms, the same as in the request log. */
export interface RunChange {
  /** Position of the event: the change feed tells it in full. */
  readonly position: number;
  readonly at: string;
  /** The id by which all logs know the request. */
  readonly requestId: string;
  readonly kind: FeedEvent["kind"];
  readonly type: string;
  readonly id: string;
  readonly changes: readonly AuditChange[];
  readonly collections: readonly CollectionChange[];
}

/** What changes are told from. */
export interface RunChangesSources extends PseudonymKeys {
  readonly requests: Pick<RequestLogStore, "list">;
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly catalog: CatalogSource;
}

const PAGE = 500;
/** Events are planned before their requests are answered, and clocks differ. */
const MARGIN_MS = 120_000;

/** The changes of a run in the order in which they happened, as far as their events are kept. */
export async function readRunChanges(
  sources: RunChangesSources,
  tenant: string,
  run: RequestRun,
): Promise<readonly RunChange[]> {
  const requests = await requestsOf(sources, tenant, run);
  const pseudonyms = new Pseudonyms(sources);
  const catalog = await catalogFor(sources.catalog, tenant);
  const tell = (event: FeedEvent): RunChange | null => {
    const requestId = event.origin?.request;
    if (requestId === undefined || !requests.has(requestId.split("/")[0] ?? requestId)) return null;
    const { position, at, kind, type, id, before, after, changed, collections } = event;
    // Without its kind: the values of a resource that comes or goes are told each by itself, to be reviewed.
    const states = { before, after, changed, collections };
    const text = changesText(states, modelOrNull(catalog, type), (_path, json, node) =>
      pseudonyms.ofJson(tenant, json, node),
    );
    // The text is a list of changes that `changesText` wrote.
    const changes = JSON.parse(text) as readonly AuditChange[];
    return { position, at, requestId, kind, type, id, changes, collections };
  };
  const found: RunChange[] = [];
  for await (const event of eventsOf(sources.events, tenant, run)) {
    const change = tell(event);
    if (change !== null) found.push(change);
  }
  return found;
}

async function requestsOf(
  { requests }: Pick<RunChangesSources, "requests">,
  tenant: string,
  { run }: RequestRun,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after = "";
  for (;;) {
    const page = await requests.list(tenant, { run, after, limit: PAGE });
    for (const { requestId } of page) ids.add(requestId);
    if (page.length < PAGE) return ids;
    after = page.at(-1)?.id ?? after;
  }
}

/** The events from the beginning of a run to its end. */
async function* eventsOf(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  { begun, ended }: RequestRun,
): AsyncGenerator<FeedEvent, void, undefined> {
  const to = new Date(Date.parse(ended) + MARGIN_MS).toISOString();
  for await (const event of eventsFrom(feed, tenant, begun)) {
    if (event.at > to) return;
    yield event;
  }
}

/** The events from some minutes before an instant on. */
export async function* eventsFrom(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  instant: string,
): AsyncGenerator<FeedEvent, void, undefined> {
  const from = new Date(Date.parse(instant) - MARGIN_MS).toISOString();
  let after = await positionBefore(feed, tenant, from);
  for (;;) {
    const page = await feed.read(tenant, { after, limit: PAGE, bytes: PAGE_BYTES });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

/** A position with no event of an instant, or later, at it or before: found by halving. */
async function positionBefore(
  feed: Pick<EventFeed, "read" | "head">,
  tenant: string,
  instant: string,
): Promise<number> {
  let [low, high] = [0, await feed.head(tenant)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await feed.read(tenant, { after: middle, limit: 1 });
    if (event === undefined || event.at >= instant) high = middle;
    else low = event.position;
  }
  return low;
}
