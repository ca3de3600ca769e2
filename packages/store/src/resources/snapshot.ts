/**
 * One state of the resources of a tenant, for collections that are too long to be read at once.
 * @module
 */
import type { ReferenceValue, ResourceSnapshot, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Executor, SnapshotReader } from "../steps.ts";
import { type CollectionOwner, readCollectionPart } from "./collections.ts";
import { readResources } from "./read.ts";
import { rowsBehind } from "./reference-rows.ts";

/** Values in one batch: enough that the way to the database does not count, few enough to be made text of at once. */
const BATCH = 500;

/** Opens the state as it is now. */
export async function openResourceSnapshot(
  executor: Executor,
  { tenant, signal }: StoreScope,
  dialect: Dialect,
): Promise<ResourceSnapshot> {
  const reader = await executor.openSnapshot(signal);
  return {
    readMany: ({ type, ids }, select) =>
      reader.run(readResources({ tenant, type }, { ids, select }, dialect)),
    referenceRows: (query) => reader.run(rowsBehind({ tenant, query: { ...query, offset: 0 }, dialect })),
    references: ({ type, id, path }) => readBatches(reader, { tenant, type, owner: id, path }),
    close: () => reader.close(),
  };
}

/** A batch is read when it is asked for. */
async function* readBatches(
  reader: SnapshotReader,
  collection: CollectionOwner,
): AsyncGenerator<readonly ReferenceValue[], void, undefined> {
  let behind = 0;
  for (;;) {
    const { values, last } = await reader.run(readCollectionPart(collection, { behind, size: BATCH }));
    if (values.length > 0) yield values;
    if (values.length < BATCH) return;
    behind = last;
  }
}
