/**
 * Lists of the Model Context Protocol, page by page. A cursor names the last entry of its page, so that any process may
 * give the next one, and none is missed where entries come or go.
 * @module
 */
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

/** Entries of a page: more than a service with users and groups has. */
const PAGE = 200;

/** A page of a list. */
export interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  /** Missing on the last page. */
  readonly nextCursor?: string;
}

/**
 * The page behind a cursor; the first one without.
 * @param nameOf what tells an entry from others
 * @throws McpError `InvalidParams` where the cursor is none, or its entry is not there any more
 */
export function pageOf<Entry>(
  all: readonly Entry[],
  nameOf: (entry: Entry) => string,
  cursor: string | undefined,
): ListPage<Entry> {
  const start = cursor === undefined ? 0 : all.findIndex((entry) => cursorOf(nameOf(entry)) === cursor) + 1;
  if (cursor !== undefined && start === 0) {
    throw new McpError(
      ErrorCode.InvalidParams,
      "The cursor is not valid any more. Begin with the first page.",
    );
  }
  const entries = all.slice(start, start + PAGE);
  const last = entries.at(-1);
  if (last === undefined || start + PAGE >= all.length) return { entries };
  return { entries, nextCursor: cursorOf(nameOf(last)) };
}

function cursorOf(name: string): string {
  return encodeURIComponent(name);
}
