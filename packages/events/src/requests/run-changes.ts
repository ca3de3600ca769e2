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
import type { AuditChange } from "../audit/entry.ts";
import { modelOrNull } from "../audit/sensitivity.ts";
import { MARGIN_MS, positionBefore } from "../feed/from-instant.ts";
import { PAGE_BYTES } from "../feed/read-changes.ts";
import type { RequestRun } from "./entry.ts";
import { loggedAmong } from "./logged-among.ts";
import type { RequestLogStore } from "./port.ts";
import { type PseudonymKeys, Pseudonyms } from "./redaction/pseudonyms.ts";
import { shownChanges } from "./redaction/shown-changes.ts";

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
  readonly requests: Pick<RequestLogStore, "requestIds">;
  readonly events: Pick<EventFeed, "read" | "head">;
  readonly catalog: CatalogSource;
}

/** Which changes of a run are read. */
export interface RunChangesRequest {
  readonly run: RequestRun;
  /** Those behind this position; null for the first. */
  readonly since: number | null;
  /** At most so many: 1 or more. */
  readonly limit: number;
}

/** Changes of a run, and where to go on. */
export interface RunChangesPage {
  /** Fewer than were asked for also where they come to `PAGE_BYTES`, or many events of others lie between them. */
  readonly changes: readonly RunChange[];
  /** What `since` is in the next request. */
  readonly next: number;
  /** Whether there may be more behind it. */
  readonly more: boolean;
}

/** Events that are read at once. */
const READ_AT_ONCE = 100;
/** Events that one page looks at, at most: as many as one of the audit log. */
const LOOKS = 5000;

/** The changes of a run in the order in which they happened, as far as their events are kept. */
export async function readRunChanges(
  sources: RunChangesSources,
  tenant: string,
  { run, since, limit }: RunChangesRequest,
): Promise<RunChangesPage> {
  const { events, requests } = sources;
  const tell = await tellingOf(sources, tenant);
  const end = new Date(Date.parse(run.ended) + MARGIN_MS).toISOString();
  const changes: RunChange[] = [];
  let next = Math.max(since ?? 0, await positionBefore(events, tenant, run.begun));
  for (let [looks, characters] = [0, 0]; looks < LOOKS; looks += READ_AT_ONCE) {
    const page = await events.read(tenant, { after: next, limit: READ_AT_ONCE, bytes: PAGE_BYTES });
    const behind = page.findIndex(({ at }) => at > end);
    const within = behind < 0 ? page : page.slice(0, behind);
    const own = await loggedAmong({ requests, tenant, run }, within);
    for (const event of within) {
      next = event.position;
      if (!own.has(event)) continue;
      const change = tell(event);
      characters += JSON.stringify(change).length;
      changes.push(change);
      if (changes.length === limit || characters >= PAGE_BYTES) return { changes, next, more: true };
    }
    if (behind >= 0 || page.length === 0) return { changes, next, more: false };
  }
  return { changes, next, more: true };
}

/** Tells what an event changed. */
async function tellingOf(
  sources: RunChangesSources,
  tenant: string,
): Promise<(event: FeedEvent) => RunChange> {
  const pseudonyms = new Pseudonyms(sources);
  const catalog = await catalogFor(sources.catalog, tenant);
  return ({ position, at, origin, kind, type, id, before, after, changed, collections }) => {
    const model = modelOrNull(catalog, type);
    const changes = shownChanges({ pseudonyms, tenant, model }, { before, after, changed, collections });
    return { position, at, requestId: origin?.request ?? "", kind, type, id, changes, collections };
  };
}
