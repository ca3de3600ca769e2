/**
 * The request log as administrators read it: each entry with what happened in words, page by page.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  explainRequest,
  PAGE_BYTES,
  type RequestLogStore,
  type RequestQuery,
  type StoredRequest,
} from "@scim/events";

/** An entry with what happened in words. */
export type ExplainedRequest = StoredRequest & { readonly explained: readonly string[] };

/** A page of entries. */
export interface ExplainedPage {
  /** Fewer than were asked for also where they come to `PAGE_BYTES`. */
  readonly requests: readonly ExplainedRequest[];
  /** The last of them, where there may be more behind it; else null. */
  readonly next: string | null;
}

/** Entries that are read and explained at once: a long one takes some milliseconds, and requests have their turn meanwhile. */
const AT_ONCE = 20;

/** Reads a page. */
export async function readExplained(
  requests: Pick<RequestLogStore, "list">,
  tenant: string,
  query: RequestQuery,
): Promise<ExplainedPage> {
  const page: ExplainedRequest[] = [];
  let characters = 0;
  for (let rest = query; ; rest = goingOn(query, page)) {
    const limit = Math.min(AT_ONCE, query.limit - page.length);
    const found = await requests.list(tenant, { ...rest, limit });
    for (const entry of found) {
      page.push(explained(entry));
      characters += JSON.stringify(entry).length;
    }
    if (found.length < limit) return { requests: page, next: null };
    if (page.length >= query.limit || characters >= PAGE_BYTES)
      return { requests: page, next: page.at(-1)?.id ?? null };
    await nextTurn();
  }
}

/** What is behind the last entry of a page. */
function goingOn(query: RequestQuery, page: readonly StoredRequest[]): RequestQuery {
  const last = page.at(-1)?.id;
  return query.after === undefined ? { ...query, before: last } : { ...query, after: last };
}

/** An entry with what happened in words. */
export function explained(entry: StoredRequest): ExplainedRequest {
  return { ...entry, explained: explainRequest(entry) };
}
