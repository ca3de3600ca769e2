/**
 * One state of the resources, for what is too long to be read at once.
 * @module
 */
import type { ReadSelection } from "./port.ts";
import type { ReferenceValue, StoredResource } from "./stored-resource.ts";
import type { ReferenceRow, ReferenceRowQuery } from "./reference-rows.ts";

/** One state of the resources of a tenant, for what is too long to be read at once; until it is closed. */
export interface ResourceSnapshot {
  /** The resources of these ids that exist, in the order of the ids. */
  readMany(
    targets: { readonly type: string; readonly ids: readonly string[] },
    select: ReadSelection,
  ): Promise<readonly StoredResource[]>;
  /** All values of a collection, in the order of adding. The next batch is read when it is asked for. */
  references(owner: {
    readonly type: string;
    readonly id: string;
    readonly path: string;
  }): AsyncIterable<readonly ReferenceValue[]>;
  /** The rows of a collection behind a place, over all its owners, as `ResourceStore.referenceRows` gives them. */
  referenceRows(query: Omit<ReferenceRowQuery, "offset">): Promise<readonly ReferenceRow[]>;
  /** Ends it. More than once does no harm. */
  close(): Promise<void>;
}
