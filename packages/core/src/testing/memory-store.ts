/**
 * Stores in memory: the reference implementation of the ports, for tests. Nothing is durable, and filters
 * and sorts are left to the caller.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { DEFAULT_CAPABILITIES } from "../store/capabilities.ts";
import { cutoffFor } from "../store/cutoff.ts";
import type { DeletedPage, DeletedPlace, DeletedResource } from "../store/deleted-resources.ts";
import type { EventFeed } from "../store/event-feed.ts";
import type {
  IndexPage,
  KeysetPage,
  ResourceStore,
  StoreCandidates,
  StorePage,
  StoreQuery,
} from "../store/port.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import { queryReads } from "../store/query-reads.ts";
import { openMemorySnapshot, readMany, storedOf } from "./memory-reads.ts";
import { countRows, rowsOf } from "./memory-rows.ts";
import { memoryRules } from "./memory-rules.ts";
import { MemoryStages } from "./memory-stage.ts";
import { MemoryTenant, valuesOf, type DeletedInMemory, type MemoryResource } from "./memory-tenant.ts";
import { applyPlan, previewPlan } from "./memory-write.ts";

/** A store of resources, with what happened to them. */
export interface MemoryStore extends ResourceStore {
  readonly events: EventFeed;
}

/** Makes an empty store of resources. */
export function createMemoryStore(): MemoryStore {
  const tenants = new Map<string, MemoryTenant>();
  const stages = new MemoryStages();

  function tenantOf(name: string): MemoryTenant {
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const tenant = new MemoryTenant();
    tenants.set(name, tenant);
    return tenant;
  }

  return {
    read: async (scope, { type, id }, select) => {
      const tenant = tenantOf(scope.tenant);
      const resource = tenant.live(type, id);
      return resource === undefined ? null : (storedOf(tenant, [resource], select)[0] ?? null);
    },
    readText: async (scope, target, select) => {
      const [stored] = readMany(tenantOf(scope.tenant), { type: target.type, ids: [target.id] }, select);
      if (stored === undefined) return null;
      const { body, ...others } = stored;
      return { ...others, text: JSON.stringify(body) };
    },
    readMany: async (scope, targets, select) => readMany(tenantOf(scope.tenant), targets, select),
    references: async (scope, { type, id, path }, selection) => {
      const owner = tenantOf(scope.tenant).live(type, id);
      const values = owner === undefined ? [] : valuesOf(owner, path);
      if (selection === "all") return values;
      if ("first" in selection) return values.slice(0, selection.first);
      const wanted = new Set(selection);
      return values.filter(({ value }) => wanted.has(value));
    },
    snapshot: async (scope) => openMemorySnapshot(tenantOf(scope.tenant)),
    referenceRows: async (scope, query) => {
      scope.signal?.throwIfAborted();
      return rowsOf(tenantOf(scope.tenant), query);
    },
    countReferenceRows: async (scope, filter) => {
      scope.signal?.throwIfAborted();
      return countRows(tenantOf(scope.tenant), filter);
    },
    query: async (scope, query) => answer(tenantOf(scope.tenant), query),
    deleted: {
      list: async (scope, page) => deletedOn(tenantOf(scope.tenant), page),
      read: async (scope, { type, id }) => {
        const tenant = tenantOf(scope.tenant);
        const found = tenant.deleted().find((each) => each.type === type && each.id === id);
        return found === undefined ? null : { ...shownDeleted(tenant, found), body: found.body };
      },
    },
    secrets: {
      find: async (scope, { type, id, path }) =>
        tenantOf(scope.tenant).live(type, id)?.secrets.get(path) ?? null,
    },
    capabilities: () => ({ ...DEFAULT_CAPABILITIES, secrets: true }),
    rules: memoryRules(tenantOf),
    stage: async (scope) => stages.open(tenantOf(scope.tenant)),
    write: async ({ tenant, connection }, plan) => applyPlan(tenantOf(tenant), { connection, stages }, plan),
    preview: async (scope, plan) => previewPlan(tenantOf(scope.tenant), plan),
    purge: async (before, limit) => {
      let removed = 0;
      for (const [name, tenant] of tenants)
        removed += tenant.purge(await cutoffFor(before, name), limit - removed);
      return removed;
    },
    events: {
      read: async (tenant, page) => tenantOf(tenant).events.read(page),
      head: async (tenant) => tenantOf(tenant).events.head,
      assign: async (limit) => {
        let given = 0;
        for (const tenant of tenants.values()) given += tenant.events.assign(limit);
        return given;
      },
      purge: async (before, limit, present) => {
        let removed = 0;
        for (const [name, tenant] of tenants)
          removed += tenant.events.purge(await cutoffFor(before, name), limit - removed, present);
        return removed;
      },
    },
  };
}

/** Deleted resources, the last deleted first. */
function deletedOn(
  tenant: MemoryTenant,
  { since, type, after, limit }: DeletedPage,
): readonly DeletedResource[] {
  return tenant
    .deleted()
    .filter(
      (each) =>
        each.deleted >= since &&
        (type === undefined || each.type === type) &&
        (after === null || compareDeleted(each, after) < 0),
    )
    .toSorted((left, right) => compareDeleted(right, left))
    .slice(0, limit)
    .map((each) => shownDeleted(tenant, each));
}

function compareDeleted(left: DeletedPlace, right: DeletedPlace): number {
  return (
    compareKeys(left.deleted, right.deleted) ||
    compareKeys(left.type, right.type) ||
    compareKeys(left.id, right.id)
  );
}

function shownDeleted(
  { events }: MemoryTenant,
  { type, id, connection, version, created, deleted }: DeletedInMemory,
): DeletedResource {
  return { type, id, connection, version, created, deleted, by: events.deletionOf(type, id) };
}

/** Resources in order of id: a page of all, or candidates for the caller to filter and sort. */
function answer(tenant: MemoryTenant, query: StoreQuery): StorePage | StoreCandidates {
  const resources = tenant.liveOf(query.type);
  const { filter, sort, page } = query;
  if (filter === null && sort === null) {
    const { chosen, more } =
      page.kind === "index" ? pageByIndex(resources, page) : pageByPlace(resources, page);
    return {
      kind: "page",
      total: resources.length,
      more,
      resources: storedOf(tenant, chosen, query.select),
      plan: "memory",
    };
  }
  const select = queryReads(query);
  const inOrder = sort === null && page.kind === "keyset";
  const candidates = inOrder ? inDirection(resources, page) : resources;
  async function* batches(): AsyncGenerator<readonly StoredResource[], void, undefined> {
    yield storedOf(tenant, candidates, select);
  }
  return { kind: "candidates", order: inOrder ? "query" : "id", batches: batches(), plan: "memory" };
}

interface MemoryPage {
  readonly chosen: readonly MemoryResource[];
  readonly more: boolean;
}

function pageByIndex(resources: readonly MemoryResource[], { offset, limit }: IndexPage): MemoryPage {
  return { chosen: resources.slice(offset, offset + limit), more: false };
}

function pageByPlace(resources: readonly MemoryResource[], page: KeysetPage): MemoryPage {
  const next = inDirection(resources, page);
  const chosen = next.slice(0, page.limit);
  return {
    chosen: page.direction === "backward" ? chosen.toReversed() : chosen,
    more: next.length > page.limit,
  };
}

/** Resources in order of id from a place on, nearest first. */
function inDirection(
  resources: readonly MemoryResource[],
  { from, direction }: KeysetPage,
): readonly MemoryResource[] {
  const sign = direction === "backward" ? -1 : 1;
  const next = from === null ? resources : resources.filter(({ id }) => sign * compareKeys(id, from.id) > 0);
  return direction === "backward" ? next.toReversed() : next;
}
