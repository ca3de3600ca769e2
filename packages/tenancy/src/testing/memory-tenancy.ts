/**
 * Tenants and connections in memory: the reference implementation of their ports.
 * @module
 */
import type { Connection, ConnectionStore } from "../connections/connection.ts";
import type { TokenStore } from "../credentials/port.ts";
import type { Tenant, TenantStore } from "../tenants/tenant.ts";
import { createMemoryTokenStore } from "./memory-token-store.ts";
import type { TenancyStores } from "./tenant-rules.ts";

/** Makes empty stores of tenants, connections and tokens that belong together. */
export function createMemoryTenancy(): TenancyStores {
  const tokens = createMemoryTokenStore();
  const connections = new Map<string, Connection>();
  return {
    tokens,
    connections: connectionStore(connections, tokens),
    tenants: tenantStore({ connections, tokens }),
  };
}

function keyOf({ tenant, connection }: Pick<Connection, "tenant" | "connection">): string {
  return `${tenant} ${connection}`;
}

function connectionStore(rows: Map<string, Connection>, tokens: TokenStore): ConnectionStore {
  return {
    find: async (tenant, connection) => rows.get(keyOf({ tenant, connection })) ?? null,
    list: async (tenant) =>
      [...rows.values()]
        .filter((row) => row.tenant === tenant)
        .toSorted((a, b) => (a.connection < b.connection ? -1 : 1)),
    add: async (row) => {
      if (rows.has(keyOf(row))) return false;
      rows.set(keyOf(row), row);
      return true;
    },
    replace: async (row) => {
      if (rows.get(keyOf(row))?.revision !== row.revision - 1) return false;
      rows.set(keyOf(row), row);
      return true;
    },
    remove: async (row) => {
      if (rows.get(keyOf(row))?.revision !== row.revision) return false;
      rows.delete(keyOf(row));
      for (const token of await tokens.listTokens(row.tenant)) {
        if (token.connection === row.connection) await tokens.removeToken(row.tenant, token.id);
      }
      return true;
    },
  };
}

interface Rows {
  readonly connections: Map<string, Connection>;
  readonly tokens: TokenStore;
}

function tenantStore({ connections, tokens }: Rows): TenantStore {
  const rows = new Map<string, Tenant>();
  return {
    find: async (tenant) => rows.get(tenant) ?? null,
    list: async ({ after, count }) =>
      [...rows.values()]
        .filter(({ tenant }) => after === null || tenant > after)
        .toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1))
        .slice(0, count),
    add: async (row) => {
      if (rows.has(row.tenant)) return false;
      rows.set(row.tenant, row);
      return true;
    },
    replace: async (row) => {
      if (rows.get(row.tenant)?.revision !== row.revision - 1) return false;
      rows.set(row.tenant, row);
      return true;
    },
    removeRows: async (tenant, most) => {
      const gone = (await tokens.listTokens(tenant)).slice(0, most);
      for (const { id } of gone) await tokens.removeToken(tenant, id);
      if (gone.length > 0) return gone.length;
      const left = [...connections.entries()].filter(([, row]) => row.tenant === tenant).slice(0, most);
      for (const [key] of left) connections.delete(key);
      return left.length;
    },
  };
}
