/**
 * Stores that stand between a service and its store: one records, one reports conflicts.
 * @module
 */
import type {
  ReadSelection,
  ReferenceSelection,
  ReferenceValue,
  ResourceStore,
  StoreQuery,
  WritePlan,
  WriteResult,
} from "../../src/index.ts";

/** A look at the values of a collection. */
export interface RecordedReferences {
  readonly path: string;
  readonly selection: ReferenceSelection;
  /** How many values the store answered. */
  readonly answered: number;
}

/** What a recording store writes down. */
export interface StoreRecord {
  readonly reads?: ReadSelection[];
  readonly references?: RecordedReferences[];
  readonly queries?: StoreQuery[];
  readonly plans?: WritePlan[];
}

/** A store that writes down what it is asked. */
export function recordingStore(store: ResourceStore, record: StoreRecord): ResourceStore {
  return {
    read: (scope, target, select) => {
      record.reads?.push(select);
      return store.read(scope, target, select);
    },
    readMany: (scope, targets, select) => {
      record.reads?.push(select);
      return store.readMany(scope, targets, select);
    },
    references: async (scope, owner, selection): Promise<readonly ReferenceValue[]> => {
      const values = await store.references(scope, owner, selection);
      record.references?.push({ path: owner.path, selection, answered: values.length });
      return values;
    },
    snapshot: (scope) => store.snapshot(scope),
    stage: (scope, type) => store.stage(scope, type),
    referenceRows: (scope, query) => store.referenceRows(scope, query),
    countReferenceRows: (scope, filter) => store.countReferenceRows(scope, filter),
    query: (scope, query) => {
      record.queries?.push(query);
      return store.query(scope, query);
    },
    write: (scope, plan) => {
      record.plans?.push(plan);
      return store.write(scope, plan);
    },
    preview: (scope, plan) => store.preview(scope, plan),
    purge: (before, limit) => store.purge(before, limit),
  };
}

/** Lets something happen before a write, which may answer in the store's place. */
export function interceptingStore(
  store: ResourceStore,
  before: (plan: WritePlan) => Promise<WriteResult | null>,
): ResourceStore {
  return {
    ...recordingStore(store, {}),
    write: async (scope, plan) => (await before(plan)) ?? store.write(scope, plan),
  };
}
