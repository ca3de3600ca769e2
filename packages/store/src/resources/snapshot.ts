/**
 * One state of the resources of a tenant, for collections that are too long to be read at once.
 * @module
 */
import type { ReferenceValue, ResourceSnapshot, StoreScope } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Executor, SnapshotReader } from "../steps.ts";
import { type CollectionOwner, readCollectionPart } from "./collections.ts";
import type { LongAnswerTurns } from "./long-answer-turns.ts";
import { readResources } from "./read.ts";
import { rowsBehind } from "./reference-rows.ts";

/** Values in one batch: enough that the way to the database does not count, few enough to be made text of at once. */
const BATCH = 500;

/** What a state is read with. */
export interface SnapshotSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** Who may have one open. */
  readonly turns: LongAnswerTurns;
}

/** Opens the state as it is when the turn for it has come. */
export async function openResourceSnapshot(
  { executor, dialect, turns }: SnapshotSetting,
  { tenant, signal }: StoreScope,
): Promise<ResourceSnapshot> {
  const { reader, close } = await openInTurn({ executor, turns }, { tenant, signal });
  return {
    readMany: ({ type, ids }, select) =>
      reader.run(readResources({ tenant, type }, { ids, select }, dialect)),
    referenceRows: (query) => reader.run(rowsBehind({ tenant, query: { ...query, offset: 0 }, dialect })),
    references: ({ type, id, path }) => readBatches(reader, { tenant, type, owner: id, path }),
    close,
  };
}

async function openInTurn(
  { executor, turns }: Pick<SnapshotSetting, "executor" | "turns">,
  { tenant, signal }: Pick<StoreScope, "tenant" | "signal">,
): Promise<{ readonly reader: SnapshotReader; readonly close: () => Promise<void> }> {
  const endTurn = await turns.take(tenant, signal);
  try {
    const reader = await executor.openSnapshot(signal);
    let closing: Promise<void> | null = null;
    return { reader, close: () => (closing ??= reader.close().finally(endTurn)) };
  } catch (error) {
    endTurn();
    throw error;
  }
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
