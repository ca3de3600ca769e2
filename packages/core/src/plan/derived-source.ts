/**
 * What a service tells a store so that it can compare derived rows with resources.
 * @module
 */
import type { ModelCatalog } from "../model/catalog.ts";
import type { DerivedSource } from "../store/derived-source.ts";
import { entriesOf } from "./entries.ts";
import { indexSource } from "./index-source.ts";

/** The source of the resource types of a catalog, as they are when it is asked. */
export function derivedSource(catalog: ModelCatalog): DerivedSource {
  return {
    ...indexSource(catalog),
    values: (type, { connection, body }) => {
      const model = catalog.models().find(({ name, rows }) => name === type && rows === null);
      if (model === undefined) return null;
      const { unique, whereHeld } = entriesOf(model, body, { constraints: [], connection, indexed: [] });
      return { demanded: unique, ruled: whereHeld };
    },
  };
}
