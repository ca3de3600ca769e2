/**
 * The ListResponse message (RFC 7644 §3.4.2).
 * @module
 */
import type { JsonObject } from "../json.ts";
import { LIST_RESPONSE_URN } from "../urns.ts";

/** One page of query results (RFC 7644 §3.4.2, RFC 9865 §2). */
export interface ListResponse<Resource = JsonObject> {
  readonly schemas: readonly string[];
  /** How many resources match, over all pages. With cursors it may be left out (RFC 9865 §2). */
  readonly totalResults?: number;
  /** 1-based position of the first resource; absent when paging by cursor. */
  readonly startIndex?: number;
  /** How many resources the page holds. */
  readonly itemsPerPage?: number;
  /** The resources; it may be left out where there are none. */
  readonly Resources?: readonly Resource[];
  /** Cursor of the next page; absent on the last. */
  readonly nextCursor?: string;
  /** Cursor of the page before; never on the first. */
  readonly previousCursor?: string;
}

/** What a list response is made of. */
export interface ListPage<Resource> {
  readonly resources: readonly Resource[];
  /** How many resources match, over all pages: 0 or more; null where it is not told. */
  readonly totalResults: number | null;
  /** 1-based position of the first resource; null on a page by cursor. Default 1. */
  readonly startIndex?: number | null;
  /** Null or left out on the last page, and on pages by index. */
  readonly nextCursor?: string | null;
  /** Null or left out on the first page, and on pages by index. */
  readonly previousCursor?: string | null;
}

/**
 * Makes the message of a page.
 *
 * @example
 * listResponse({ resources: [user], totalResults: 41, startIndex: 41 });
 */
export function listResponse<Resource>(page: ListPage<Resource>): ListResponse<Resource> {
  const { totalResults, startIndex = 1, nextCursor = null, previousCursor = null } = page;
  return {
    schemas: [LIST_RESPONSE_URN],
    ...(totalResults === null ? {} : { totalResults }),
    ...(startIndex === null ? {} : { startIndex }),
    itemsPerPage: page.resources.length,
    ...(nextCursor === null ? {} : { nextCursor }),
    ...(previousCursor === null ? {} : { previousCursor }),
    Resources: page.resources,
  };
}
