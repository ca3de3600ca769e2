/**
 * Lists over pages.
 * @module
 */
import type { ListOptions } from "../resources/list-options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import type { ListReport, ResourceList } from "./resource-list.ts";
import { EMPTY_REPORT, walk, type PageReader } from "./walk.ts";

/** Makes a list. */
export function listOf(reader: PageReader, options: ListOptions<string>): ResourceList<DynamicResource> {
  let report: ListReport = EMPTY_REPORT;
  const pages = (size?: number): AsyncIterable<Page<DynamicResource>> =>
    walk(reader, size === undefined ? options : { ...options, pageSize: size, prefetch: false }, (next) => {
      report = next;
    });

  async function* resources(size?: number): AsyncGenerator<DynamicResource, void, undefined> {
    for await (const page of pages(size)) yield* page.resources;
  }

  return {
    pages: () => pages(),
    first: async () => {
      for await (const resource of resources(2)) return resource;
      return null;
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
