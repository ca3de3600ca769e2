/**
 * Tenants and connections in memory: the reference implementation of their ports.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { Connection, ConnectionName, ConnectionStore } from "../connections/connection.ts";
import type { TokenStore } from "../credentials/port.ts";
import type { ServedDefinitions } from "../documents/served-definitions.ts";
import type { DocumentStore, TenantDocument } from "../documents/tenant-document.ts";
import { onPage } from "../key-page.ts";
import type { Tenant, TenantStore } from "../tenants/tenant.ts";
import type { AdminStore } from "../admins/admin-store.ts";
import type { ClientStore } from "../oauth/client-store.ts";
import { createMemoryAdminStore } from "./memory-admin-store.ts";
import { createMemoryClientStore } from "./memory-client-store.ts";
import { createMemoryTokenStore } from "./memory-token-store.ts";
import type { TenancyStores } from "./tenant-rules.ts";

/** Stores in memory, and what was told of their changes. */
export interface MemoryTenancy extends TenancyStores {
  /** The acts, in their order. */
  readonly acts: readonly AdminAct[];
  readonly admins: AdminStore;
}

/** Makes empty stores of tenants, connections, tokens and clients that belong together. */
export function createMemoryTenancy(): MemoryTenancy {
  const acts: AdminAct[] = [];
  const connections = new Map<string, Connection>();
  const isThere = (of: ConnectionName): boolean => connections.has(keyOf(of));
  const tokens = createMemoryTokenStore(acts, isThere);
  const clients = createMemoryClientStore(acts, isThere);
  const documentRows: DocumentRows = { documents: new Map(), served: new Map() };
  const rows = { connections, tokens, clients, acts, ...documentRows };
  const admins = createMemoryAdminStore(acts);
  const tenants = tenantStore(rows);
  const documents = documentStore(tenants, acts, documentRows);
  return { tokens, clients, documents, connections: connectionStore(rows), tenants, admins, acts };
}

/** By tenant. */
interface DocumentRows {
  readonly documents: Map<string, ReadonlyMap<string, TenantDocument>>;
  readonly served: Map<string, ServedDefinitions>;
}

interface Rows extends DocumentRows {
  readonly connections: Map<string, Connection>;
  readonly tokens: TokenStore;
  readonly clients: ClientStore;
  readonly acts: AdminAct[];
}

/** What becomes of an act with the write that it belongs to. */
function told({ acts }: Rows, act: AdminAct | undefined): true {
  if (act !== undefined) acts.push(act);
  return true;
}

function keyOf({ tenant, connection }: ConnectionName): string {
  return `${tenant} ${connection}`;
}

function connectionStore(all: Rows): ConnectionStore {
  const { connections: rows, tokens, clients } = all;
  return {
    find: async (tenant, connection) => rows.get(keyOf({ tenant, connection })) ?? null,
    list: async (tenant, page) => {
      const own = [...rows.values()].filter((row) => row.tenant === tenant);
      const inOrder = own.toSorted((a, b) => (a.connection < b.connection ? -1 : 1));
      return onPage(inOrder, ({ connection }) => connection, page);
    },
    add: async (row, act) => {
      if (rows.has(keyOf(row))) return false;
      rows.set(keyOf(row), row);
      return told(all, act);
    },
    replace: async (row, before, act) => {
      if (rows.get(keyOf(row))?.revision !== before) return false;
      rows.set(keyOf(row), row);
      return told(all, act);
    },
    remove: async (row, act) => {
      if (rows.get(keyOf(row))?.revision !== row.revision) return false;
      rows.delete(keyOf(row));
      for (const token of await tokens.listTokens(row.tenant)) {
        if (token.connection === row.connection) await tokens.removeToken(row.tenant, token.id);
      }
      for (const client of await clients.listClients(row.tenant, row.connection)) {
        await clients.removeClient(client);
      }
      return told(all, act);
    },
  };
}

/** Documents; there are no resources beside them. */
function documentStore(
  tenants: TenantStore,
  acts: AdminAct[],
  { documents: rows, served: servedRows }: DocumentRows,
): DocumentStore {
  return {
    served: async (tenant) => servedRows.get(tenant) ?? null,
    filled: async () => [],
    recordServed: async (definitions) => {
      const { tenant, revision } = definitions;
      if ((servedRows.get(tenant)?.revision ?? 0) !== revision - 1) return false;
      servedRows.set(tenant, definitions);
      return true;
    },
    list: async (tenant) =>
      [...(rows.get(tenant)?.values() ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    change: async ({ tenant, before, put, remove, acts: caused }) => {
      if (!(await tenants.replace(tenant, before))) return { kind: "changed" };
      const own = new Map(rows.get(tenant.tenant));
      for (const name of remove) own.delete(name);
      for (const document of put) own.set(document.name, document);
      rows.set(tenant.tenant, own);
      acts.push(...caused);
      return { kind: "written" };
    },
  };
}

function tenantStore(all: Rows): TenantStore {
  const { connections, tokens, clients, documents, served } = all;
  const rows = new Map<string, Tenant>();
  return {
    find: async (tenant) => rows.get(tenant) ?? null,
    list: async (page) => {
      const inOrder = [...rows.values()].toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1));
      return onPage(inOrder, ({ tenant }) => tenant, page);
    },
    add: async (row, act, first) => {
      if (rows.has(row.tenant)) return false;
      rows.set(row.tenant, row);
      told(all, act);
      if (first !== undefined) {
        connections.set(keyOf(first.connection), first.connection);
        told(all, first.act);
      }
      return true;
    },
    replace: async (row, before, act) => {
      if (rows.get(row.tenant)?.revision !== before) return false;
      rows.set(row.tenant, row);
      return told(all, act);
    },
    removeRows: async (tenant, most) => {
      const gone = (await tokens.listTokens(tenant)).slice(0, most);
      for (const { id } of gone) await tokens.removeToken(tenant, id);
      if (gone.length > 0) return gone.length;
      const leaving = (await clients.listClients(tenant, null)).slice(0, most);
      for (const client of leaving) await clients.removeClient(client);
      if (leaving.length > 0) return leaving.length;
      const left = [...connections.entries()].filter(([, row]) => row.tenant === tenant).slice(0, most);
      for (const [key] of left) connections.delete(key);
      if (left.length > 0) return left.length;
      if (served.delete(tenant)) return 1;
      const kept = [...(documents.get(tenant) ?? [])];
      documents.set(tenant, new Map(kept.slice(most)));
      return Math.min(most, kept.length);
    },
    // Resources are kept elsewhere, and so are the hashes beside them.
    removeHashes: async () => 0,
  };
}
