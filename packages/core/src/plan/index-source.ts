/**
 * What a service tells a store so that it can build indexes.
 * @module
 */
import type { ModelCatalog } from "../model/catalog.ts";
import { isIndexable } from "../model/indexable.ts";
import type { IndexSource } from "../store/index-catalog.ts";
import { indexEntriesOf } from "./entries.ts";
import { indexableNodes } from "./indexed-attributes.ts";

/** The source of the resource types of a catalog, as they are when it is asked. */
export function indexSource(catalog: ModelCatalog): IndexSource {
  return {
    wanted: () =>
      catalog
        .models()
        .filter(({ rows }) => rows === null)
        .flatMap(({ name, indexed }) =>
          indexed.filter(isIndexable).map(({ path }) => ({ type: name, path })),
        ),
    entries: (type, body, paths) => {
      const nodes = isStored(catalog, type) ? indexableNodes(catalog.model(type), paths) : null;
      return nodes === null ? null : indexEntriesOf(nodes, body);
    },
  };
}

/** Whether resources of a type are stored: not one that shows rows of another. */
export function isStored(catalog: ModelCatalog, type: string): boolean {
  return catalog.definitions().some(({ name, rowsOf }) => name === type && rowsOf === undefined);
}
