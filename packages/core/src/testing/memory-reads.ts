/**
 * Reads resources in memory with what a selection names, as they are now or as they were when a snapshot was opened.
 * @module
 */
import type { ReadSelection } from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { inverseValues } from "./memory-inverses.ts";
import { rowsOf } from "./memory-rows.ts";
import { firstOf, valuesOf, type MemoryResource, type MemoryTenant } from "./memory-tenant.ts";

/** Values in one batch of a long collection. */
const BATCH = 1000;

/** Resources with the collections and inverses of a selection; without collections that have too many values. */
export function storedOf(
  tenant: MemoryTenant,
  resources: readonly MemoryResource[],
  select: ReadSelection,
): readonly StoredResource[] {
  const { most = Number.POSITIVE_INFINITY, first = [] } = select;
  const paths = select.collections.filter(
    (path) => resources.reduce((sum, resource) => sum + valuesOf(resource, path).length, 0) <= most,
  );
  return resources.map((resource) => {
    const { type, id, connection, version, created, lastModified, body } = resource;
    const inverses = select.inverses.map(
      (selection) => [selection.inverse.node.path, inverseValues(tenant, id, selection)] as const,
    );
    return {
      type,
      id,
      connection,
      version,
      created,
      lastModified,
      body,
      collections: new Map([
        ...paths.map((path) => [path, valuesOf(resource, path)] as const),
        ...first.map((path) => [path, firstOf(resource, path)] as const),
      ]),
      inverses: new Map(inverses),
    };
  });
}

/** The resources of these ids that exist, in the order of the ids. */
export function readMany(
  tenant: MemoryTenant,
  { type, ids }: { readonly type: string; readonly ids: readonly string[] },
  select: ReadSelection,
): readonly StoredResource[] {
  return storedOf(
    tenant,
    ids.flatMap((id) => tenant.live(type, id) ?? []),
    select,
  );
}

/** Opens the state of a tenant as it is now: a copy. */
export function openMemorySnapshot(tenant: MemoryTenant): ResourceSnapshot {
  const state = tenant.copy();
  return {
    readMany: async (targets, select) => readMany(state, targets, select),
    references: async function* ({ type, id, path }) {
      const owner = state.live(type, id);
      const values = owner === undefined ? [] : valuesOf(owner, path);
      for (let start = 0; start < values.length; start += BATCH) yield values.slice(start, start + BATCH);
    },
    referenceRows: async (query) => rowsOf(state, { ...query, offset: 0 }),
    close: async () => undefined,
  };
}
