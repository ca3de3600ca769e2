/**
 * Goes through the pages of a list.
 * @module
 */
import type { Capabilities } from "../discovery/capabilities.ts";
import { PagingError } from "../errors/paging-error.ts";
import type { FailedRequest } from "../errors/client-error.ts";
import type { ListOptions } from "../resources/list-options.ts";
import type { PageOptions } from "../resources/options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import type { ListReport } from "./resource-list.ts";

/** Reads pages. */
export interface PageReader {
  readonly read: (options: PageOptions<string>) => Promise<Page<DynamicResource>>;
  readonly capabilities: () => Promise<Capabilities>;
  /** The request of the list, for errors. */
  readonly request: FailedRequest;
}

export const EMPTY_REPORT: ListReport = {
  resources: 0,
  pages: 0,
  totalResults: null,
  repeated: [],
  rereads: 0,
};

/** Goes through the pages; tells after each what was met. */
export async function* walk(
  reader: PageReader,
  options: ListOptions<string>,
  onReport: (report: ListReport) => void,
): AsyncGenerator<Page<DynamicResource>, void, undefined> {
  const { pageSize, by, prefetch: _, ...query } = options;
  const capabilities = await reader.capabilities();
  const byCursor = by === undefined ? capabilities.cursor : by === "cursor";
  const count = Math.min(pageSize ?? 100, capabilities.maxPageSize ?? Number.POSITIVE_INFINITY);
  let pages = 0;
  let resources = 0;
  let cursor: string | null = "";
  let startIndex = 1;
  for (;;) {
    const page: Page<DynamicResource> = await reader.read({
      ...query,
      count,
      ...(byCursor ? { cursor: cursor ?? "" } : { startIndex }),
    });
    pages += 1;
    resources += page.resources.length;
    onReport({ ...EMPTY_REPORT, pages, resources, totalResults: page.totalResults });
    yield page;
    if (byCursor) {
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor)
        throw new PagingError("pagesRepeat", "the cursors lead in a circle", {
          request: reader.request,
          read: resources,
        });
      cursor = page.nextCursor;
    } else {
      startIndex += page.resources.length;
      if (page.resources.length === 0 || startIndex > (page.totalResults ?? 0)) return;
    }
  }
}
