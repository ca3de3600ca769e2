/**
 * What a service tells a store so that it can compare derived rows with resources.
 * @module
 */
import type { ModelCatalog } from "../model/catalog.ts";
import type { DerivedSource } from "../store/derived-source.ts";
import { entriesOf } from "./entries.ts";
import { indexSource, isStored } from "./index-source.ts";

/** The source of the resource types of a catalog, as they are when it is asked. */
export function derivedSource(catalog: ModelCatalog): DerivedSource {
  return {
    ...indexSource(catalog),
    values: (type, { connection, body }) => {
      if (!isStored(catalog, type)) return null;
      const { unique, whereHeld } = entriesOf(catalog.model(type), body, {
        constraints: [],
        connection,
        indexed: [],
      });
      return { demanded: unique, ruled: whereHeld };
    },
  };
}
