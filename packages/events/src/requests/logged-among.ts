/**
 * Which of some events requests of a run made: the log is asked for the time about the events, and no further than until all
 * are known.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import { MARGIN_MS } from "../feed/from-instant.ts";
import { beforeIdsOf } from "./entry-ids.ts";
import type { RequestRun } from "./entry.ts";
import type { RequestLogStore } from "./port.ts";

/** Requests that are read at once. */
const PAGE = 500;
/** Milliseconds that a request may take behind its first change, such as a bulk job (ten minutes). */
const LONGEST_MS = 600_000;

/** The requests of a run in the log. */
export interface LoggedRun {
  readonly requests: Pick<RequestLogStore, "requestIds">;
  readonly tenant: string;
  readonly run: RequestRun;
}

/** The id of the request that made an event, without the operation of a bulk job; null where none did. */
function requestOf({ origin }: Pick<FeedEvent, "origin">): string | null {
  return origin?.request?.split("/", 1)[0] ?? null;
}

/** Those of some events that requests of a run made. */
export async function loggedAmong(
  { requests, tenant, run: { run, connection } }: LoggedRun,
  events: readonly FeedEvent[],
): Promise<ReadonlySet<FeedEvent>> {
  const own = events.filter((event) => event.connection === connection && requestOf(event) !== null);
  const asked = new Set(own.map(requestOf));
  const found = new Set<string | null>();
  if (asked.size === 0) return new Set();
  const times = own.map(({ at }) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // What made a change is answered behind it, and before it only where a clock went back.
  for (const [from, to] of [
    [first, last + LONGEST_MS],
    [first - MARGIN_MS, first],
  ] as const) {
    let after = beforeIdsOf(from);
    while (found.size < asked.size) {
      const page = await requests.requestIds(tenant, { run, after, before: beforeIdsOf(to), limit: PAGE });
      for (const { requestId } of page) if (asked.has(requestId)) found.add(requestId);
      const end = page.at(-1);
      if (end === undefined || page.length < PAGE) break;
      after = end.id;
    }
  }
  return new Set(own.filter((event) => found.has(requestOf(event))));
}
