/**
 * A store for one trial: what is written to it is only previewed, and read back as if it had been written.
 * @module
 */
import { capabilitiesOf } from "../../store/capabilities.ts";
import type { ReferenceSelection, ResourceStore } from "../../store/port.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import type { CollectionDelta, WritePlan } from "../../store/write-plan.ts";

/** What a trial came to. */
export interface Tried {
  readonly plan: WritePlan;
  /** The resource that the plan was computed on; null for a new one. */
  readonly before: StoredResource | null;
}

/** A store, and what was tried on it. */
export interface Trial {
  readonly store: ResourceStore;
  /** The plan that would have been written; null where nothing would. */
  readonly tried: () => Tried | null;
}

/** Makes a store for one change over the true one. */
export function createTrial(store: ResourceStore): Trial {
  let before: StoredResource | null = null;
  let tried: Tried | null = null;
  return {
    tried: () => tried,
    store: {
      indexes: store.indexes,
      read: async (scope, target, select) => {
        before = await store.read(scope, target, select);
        return before;
      },
      readMany: (scope, targets, select) => store.readMany(scope, targets, select),
      references: async (scope, owner, selection) => {
        const delta = deltaOf(tried, owner);
        if (delta === undefined) return store.references(scope, owner, selection);
        return changed(await store.references(scope, owner, widened(selection, delta)), delta, selection);
      },
      snapshot: (scope) => store.snapshot(scope),
      stage: (scope, type) => store.stage(scope, type),
      referenceRows: (scope, query) => store.referenceRows(scope, query),
      countReferenceRows: (scope, filter) => store.countReferenceRows(scope, filter),
      query: (scope, query) => store.query(scope, query),
      write: async (scope, plan) => {
        const result = await store.preview(scope, plan);
        if (result.kind === "written") tried = { plan, before: plan.kind === "create" ? null : before };
        return result;
      },
      preview: (scope, plan) => store.preview(scope, plan),
      capabilities: (type) => capabilitiesOf(store, type),
      // A trial removes nothing.
      purge: () => Promise.resolve(0),
    },
  };
}

/** How the tried plan changes a collection. */
function deltaOf(
  tried: Tried | null,
  owner: { readonly type: string; readonly id: string; readonly path: string },
): CollectionDelta | undefined {
  if (tried === null || tried.plan.kind === "delete" || tried.plan.kind === "restore") return undefined;
  const { plan } = tried;
  if (plan.type !== owner.type || plan.id !== owner.id) return undefined;
  return plan.collections.find(({ path }) => path === owner.path);
}

/** The selection that holds enough values even where the change takes some away. */
function widened(selection: ReferenceSelection, { remove }: CollectionDelta): ReferenceSelection {
  if (selection === "all" || !("first" in selection)) return selection;
  return remove === "all" ? "all" : { first: selection.first + remove.length };
}

/** The selected values after the change: those that stay in their order, then new ones. */
function changed(
  values: readonly ReferenceValue[],
  { remove, add }: CollectionDelta,
  selection: ReferenceSelection,
): readonly ReferenceValue[] {
  const gone = new Set(remove === "all" ? values.map(({ value }) => value) : remove);
  const next = new Map(
    values.filter(({ value }) => !gone.has(value)).map((reference) => [reference.value, reference]),
  );
  for (const reference of add) next.set(reference.value, reference);
  const all = [...next.values()];
  if (selection === "all") return all;
  if ("first" in selection) return all.slice(0, selection.first);
  const wanted = new Set(selection);
  return all.filter(({ value }) => wanted.has(value));
}
