/**
 * Long reads over handlers and a store: one state of what the store keeps, and the present of what handlers keep.
 * @module
 */
import type { ResourceStore, StoreScope } from "../store/port.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { rowsBehind } from "./handler-rows.ts";
import type { HandlerType } from "./handler-type.ts";
import { RowWalk } from "./row-walk.ts";

/** Values in one batch of a long collection. */
const BATCH = 1000;

/** What a snapshot is opened on. */
export interface SnapshotSources {
  readonly scope: StoreScope;
  readonly store: ResourceStore | null;
  /** What a handler keeps; null for a type that none does. */
  readonly typeOf: (type: string) => HandlerType | null;
}

/** Opens a snapshot; the one of the store is opened when it is needed first. */
export function handlerSnapshot(
  routed: Pick<ResourceStore, "readMany" | "references" | "referenceRows">,
  { scope, store, typeOf }: SnapshotSources,
): ResourceSnapshot {
  const isHandled = (type: string): boolean => typeOf(type) !== null;
  const walks = new Map<string, RowWalk>();
  const walkOf = (handled: HandlerType): RowWalk => {
    const { name } = handled.model;
    const walk = walks.get(name) ?? new RowWalk((rows) => rowsBehind(handled, scope, rows));
    walks.set(name, walk);
    return walk;
  };
  let opened: Promise<ResourceSnapshot> | null = null;
  const stored = async (type: string): Promise<ResourceSnapshot | null> => {
    if (isHandled(type) || store === null) return null;
    opened ??= store.snapshot(scope);
    return opened;
  };
  // What nobody keeps is not there: who looks at all references is told of those that there are.
  const isKept = (type: string): boolean => isHandled(type) || store !== null;
  return {
    readMany: async (targets, select) => {
      if (!isKept(targets.type)) return [];
      return (
        (await stored(targets.type))?.readMany(targets, select) ?? routed.readMany(scope, targets, select)
      );
    },
    references: async function* (owner) {
      if (!isKept(owner.type)) return;
      const snapshot = await stored(owner.type);
      if (snapshot === null) yield* inBatches(await routed.references(scope, owner, "all"));
      else yield* snapshot.references(owner);
    },
    referenceRows: async (query) => {
      const handled = typeOf(query.type);
      if (handled !== null && !query.descending) return walkOf(handled).page(query);
      if (!isKept(query.type)) return [];
      return (
        (await stored(query.type))?.referenceRows(query) ??
        routed.referenceRows(scope, { ...query, offset: 0 })
      );
    },
    close: async () => {
      for (const walk of walks.values()) walk.end();
      await (await opened)?.close();
    },
  };
}

function* inBatches(
  values: readonly ReferenceValue[],
): Generator<readonly ReferenceValue[], void, undefined> {
  for (let start = 0; start < values.length; start += BATCH) yield values.slice(start, start + BATCH);
}
