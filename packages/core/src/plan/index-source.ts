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
  const stored = () => catalog.models().filter(({ rows }) => rows === null);
  return {
    wanted: () =>
      stored().flatMap(({ name, indexed }) =>
        indexed.filter(isIndexable).map(({ path }) => ({ type: name, path })),
      ),
    entries: (type, body, paths) => {
      const model = stored().find(({ name }) => name === type);
      const nodes = model === undefined ? null : indexableNodes(model, paths);
      return nodes === null ? null : indexEntriesOf(nodes, body);
    },
  };
}
