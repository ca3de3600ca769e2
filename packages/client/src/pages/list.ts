/**
 * Lists over pages.
 * @module
 */
import { ConnectionError } from "../errors/connection-error.ts";
import type { ListOptions } from "../resources/list-options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import type { ListReport, ResourceList } from "./resource-list.ts";
import { EMPTY_REPORT } from "./progress.ts";
import { walk, type PageReader } from "./walk.ts";

/** Makes a list. */
export function listOf(reader: PageReader, options: ListOptions<string>): ResourceList<DynamicResource> {
  let report: ListReport = EMPTY_REPORT;
  const pages = (): AsyncIterable<Page<DynamicResource>> =>
    walk(reader, options, (next) => {
      report = next;
    });

  async function* resources(): AsyncGenerator<DynamicResource, void, undefined> {
    const { signal } = options;
    for await (const page of pages()) {
      for (const resource of page.resources) {
        // Reading was given up on: what came with a page that was read before is not worked on either.
        if (signal?.aborted === true)
          throw new ConnectionError("aborted", "the list was given up", {
            request: reader.request,
            cause: signal.reason,
          });
        yield resource;
      }
    }
  }

  return {
    pages,
    first: async () => {
      const { pageSize: _size, by: _by, prefetch: _prefetch, ...query } = options;
      const page = await reader.read({ ...query, count: 1 });
      return page.resources[0] ?? null;
    },
    toArray: async (most = 10_000) => {
      const all: DynamicResource[] = [];
      for await (const resource of resources()) {
        if (all.length >= most) throw new RangeError(`The list has more than ${most} resources.`);
        all.push(resource);
      }
      return all;
    },
    get report() {
      return report;
    },
    [Symbol.asyncIterator]: () => resources(),
  };
}
