/**
 * Stores in memory: the reference implementation of the ports, for tests. Nothing is durable, and filters
 * and sorts are left to the caller.
 * @module
 */
import type { StoredToken, TokenStore } from "../credentials/port.ts";
import type {
  ReadSelection,
  ResourceStore,
  StoreCandidates,
  StoredResource,
  StorePage,
  StoreQuery,
} from "../store/port.ts";
import { queryReads } from "../store/query-reads.ts";
import { inverseValues } from "./memory-inverses.ts";
import { countRows, rowsOf } from "./memory-rows.ts";
import { MemoryTenant, valuesOf, type MemoryResource } from "./memory-tenant.ts";
import { applyPlan, previewPlan } from "./memory-write.ts";

/** Makes an empty store of resources. */
export function createMemoryStore(): ResourceStore {
  const tenants = new Map<string, MemoryTenant>();

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
      return resource === undefined ? null : storedOf(tenant, resource, select);
    },
    readMany: async (scope, { type, ids }, select) => {
      const tenant = tenantOf(scope.tenant);
      return ids.flatMap((id) => {
        const resource = tenant.live(type, id);
        return resource === undefined ? [] : [storedOf(tenant, resource, select)];
      });
    },
    references: async (scope, { type, id, path }, selection) => {
      const owner = tenantOf(scope.tenant).live(type, id);
      const values = owner === undefined ? [] : valuesOf(owner, path);
      if (selection === "all") return values;
      if ("first" in selection) return values.slice(0, selection.first);
      const wanted = new Set(selection);
      return values.filter(({ value }) => wanted.has(value));
    },
    referenceRows: async (scope, query) => rowsOf(tenantOf(scope.tenant), query),
    countReferenceRows: async (scope, filter) => countRows(tenantOf(scope.tenant), filter),
    query: async (scope, query) => answer(tenantOf(scope.tenant), query),
    write: async (scope, plan) => applyPlan(tenantOf(scope.tenant), scope.connection, plan),
    preview: async (scope, plan) => previewPlan(tenantOf(scope.tenant), plan),
    purge: async (before, limit) => {
      let removed = 0;
      for (const tenant of tenants.values()) removed += tenant.purge(before, limit - removed);
      return removed;
    },
  };
}

/** Resources in order of id: a page of all, or candidates for the caller to filter and sort. */
function answer(tenant: MemoryTenant, query: StoreQuery): StorePage | StoreCandidates {
  const resources = tenant.liveOf(query.type);
  if (query.filter === null && query.sort === null) {
    const page = resources.slice(query.offset, query.offset + query.limit);
    return {
      kind: "page",
      total: resources.length,
      resources: page.map((resource) => storedOf(tenant, resource, query.select)),
      plan: "memory",
    };
  }
  const select = queryReads(query);
  async function* batches(): AsyncGenerator<readonly StoredResource[], void, undefined> {
    yield resources.map((resource) => storedOf(tenant, resource, select));
  }
  return { kind: "candidates", batches: batches(), plan: "memory" };
}

function storedOf(tenant: MemoryTenant, resource: MemoryResource, select: ReadSelection): StoredResource {
  const { type, id, connection, version, created, lastModified, body } = resource;
  return {
    type,
    id,
    connection,
    version,
    created,
    lastModified,
    body,
    collections: new Map(select.collections.map((path) => [path, valuesOf(resource, path)])),
    inverses: new Map(
      select.inverses.map((selection) => [selection.inverse.node.path, inverseValues(tenant, id, selection)]),
    ),
  };
}

/** Makes an empty store of tokens. */
export function createMemoryTokenStore(): TokenStore {
  const tokens: StoredToken[] = [];
  const ofTenant = (tenant: string): readonly StoredToken[] =>
    tokens.filter((token) => token.tenant === tenant);
  return {
    findTokens: async (tenant, hashes) => ofTenant(tenant).filter(({ hash }) => hashes.includes(hash)),
    listTokens: async (tenant) =>
      ofTenant(tenant).toSorted((a, b) => compareText(a.created, b.created) || compareText(a.id, b.id)),
    addToken: async (token) => {
      if (ofTenant(token.tenant).some(({ id, hash }) => id === token.id || hash === token.hash)) {
        throw new TypeError(`Tenant ${token.tenant} has a token of this id or hash already`);
      }
      tokens.push(token);
    },
    removeToken: async (tenant, id) => {
      const index = tokens.findIndex((token) => token.tenant === tenant && token.id === id);
      if (index >= 0) tokens.splice(index, 1);
      return index >= 0;
    },
  };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
