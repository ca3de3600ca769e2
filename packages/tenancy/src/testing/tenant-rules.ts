/**
 * Rules of stores of tenants and connections.
 * @module
 */
import { type ContractRule, expectEqual } from "@scim/core/testing";
import type { DefinitionList } from "@scim/schemas";
import type { Connection, ConnectionStore } from "../connections/connection.ts";
import type { TokenStore } from "../credentials/port.ts";
import type { ClientStore } from "../oauth/client-store.ts";
import type { ServedDefinitions } from "../documents/served-definitions.ts";
import type { DocumentStore, TenantDocument } from "../documents/tenant-document.ts";
import type { Tenant, TenantStore } from "../tenants/tenant.ts";
import { NO_TENANT_SETTINGS } from "../tenants/tenant-settings.ts";
import { sampleToken } from "./token-rules.ts";

/** Tenants, their connections, tokens and clients: of one database. */
export interface TenancyStores {
  readonly tenants: TenantStore;
  readonly connections: ConnectionStore;
  readonly tokens: TokenStore;
  readonly clients: ClientStore;
  readonly documents: DocumentStore;
}

/** A rule of stores of tenants and connections. */
export type TenancyStoreRule = ContractRule<TenancyStores>;

const CREATED = "2026-03-01T08:00:00.000Z";

/** A tenant, active unless something else is said. */
export function sampleTenant(name: string, of: Partial<Tenant> = {}): Tenant {
  return {
    tenant: name,
    displayName: null,
    state: "active",
    ...NO_TENANT_SETTINGS,
    documents: 0,
    created: CREATED,
    revision: 1,
    ...of,
  };
}

/** A ResourceType document. */
function sampleDocument(name: string): TenantDocument {
  return { kind: "ResourceType", name, document: { name, endpoint: `/${name}s` }, changed: CREATED };
}

/** A connection of tenant `north`, active unless something else is said. */
export function sampleConnection(name: string, of: Partial<Connection> = {}): Connection {
  return {
    tenant: "north",
    connection: name,
    state: "active",
    profile: null,
    switches: [],
    rate: null,
    guard: null,
    silentAfter: null,
    created: CREATED,
    revision: 1,
    ...of,
  };
}

/** Rules of tenants, their documents and connections. */
export const TENANT_RULES: readonly TenancyStoreRule[] = [
  {
    rule: "document/change",
    name: "documents are written with the revision of their tenant, or not at all, and are its alone",
    run: async (open) => {
      const { tenants, documents } = await open();
      const [north, south] = [sampleTenant("north"), sampleTenant("south")];
      for (const tenant of [north, south]) await tenants.add(tenant);
      const device = sampleDocument("Device");
      const room = sampleDocument("Room");
      const first = { ...north, revision: 2, documents: 1 };
      const put = { before: 1, put: [room, device], remove: [], broken: [], acts: [] };
      expectEqual(await documents.change({ ...put, tenant: first }), { kind: "written" }, "put");
      expectEqual(await documents.list("north"), [device, room], "both, by name");
      expectEqual(await tenants.find("north"), first, "the tenant");
      const again = await documents.change({ ...put, tenant: first });
      expectEqual(again, { kind: "changed" }, "an earlier revision");
      const changed = { ...room, document: { name: "Room", endpoint: "/Places" } };
      const second = {
        tenant: { ...first, revision: 9, documents: 7 },
        before: 2,
        broken: ["Room", "Device"],
        acts: [],
      };
      const left = await documents.change({ ...second, put: [changed], remove: ["Device"] });
      expectEqual(left, { kind: "written" }, "change");
      expectEqual(await documents.list("north"), [changed], "left");
      expectEqual(await documents.list("south"), [], "another tenant's");
    },
  },
  {
    rule: "document/served",
    name: "what a tenant is served by is recorded by one of two starts, and is its alone",
    run: async (open) => {
      const { documents } = await open();
      const none = { schemas: [], resourceTypes: [] };
      const room = {
        schemas: [{ id: "urn:example:Room", attributes: [{ name: "code", type: "string" }] }],
        resourceTypes: [{ name: "Room", endpoint: "/Rooms", schema: "urn:example:Room" }],
      } satisfies DefinitionList;
      const first: ServedDefinitions = { tenant: "north", served: room, remembered: room, revision: 1 };
      expectEqual(await documents.served("north"), null, "before");
      expectEqual(await documents.recordServed(first), true, "first");
      expectEqual(await documents.recordServed({ ...first, served: none }), false, "another first");
      expectEqual(await documents.served("north"), first, "recorded");
      const second = { ...first, served: none, revision: 2 };
      expectEqual(await documents.recordServed(second), true, "second");
      expectEqual(await documents.recordServed({ ...second, remembered: none }), false, "another second");
      expectEqual(await documents.served("north"), second, "changed");
      expectEqual(await documents.served("south"), null, "another tenant");
      expectEqual(await documents.filled("north", ["Room"]), [], "no resources");
    },
  },
  {
    rule: "tenant/add",
    name: "a tenant is found as it was added, and its name is given once",
    run: async (open) => {
      const { tenants } = await open();
      const north = sampleTenant("north", { displayName: "North Ltd" });
      expectEqual(await tenants.add(north), true, "first");
      expectEqual(await tenants.add(sampleTenant("north")), false, "second");
      expectEqual(await tenants.find("north"), north, "found");
      expectEqual(await tenants.find("west"), null, "no tenant");
    },
  },
  {
    rule: "tenant/first-connection",
    name: "a tenant is added with the connection that it begins with; where its name was given, neither is",
    run: async (open) => {
      const { tenants, connections } = await open();
      const first = sampleConnection("default", { profile: "strict" });
      expectEqual(await tenants.add(sampleTenant("north"), undefined, { connection: first }), true, "first");
      const others = ["default", "hr"].map((name) => sampleConnection(name));
      for (const connection of others)
        expectEqual(await tenants.add(sampleTenant("north"), undefined, { connection }), false, "again");
      expectEqual(await connections.list("north"), [first], "connections");
    },
  },
  {
    rule: "tenant/list",
    name: "tenants are listed page by page in the order of their names",
    run: async (open) => {
      const { tenants } = await open();
      for (const name of ["north", "south", "east"]) await tenants.add(sampleTenant(name));
      const names = async (after: string | null, count: number): Promise<readonly string[]> =>
        (await tenants.list({ after, count }))
          .map((each) => each.tenant)
          .filter((name) => name !== "default");
      expectEqual(await names("east", 1), ["north"], "one behind the first");
      expectEqual(await names(null, 10), ["east", "north", "south"], "all");
      expectEqual(await names("south", 10), [], "behind the last");
    },
  },
  {
    rule: "tenant/replace",
    name: "of two changes of one revision the first is kept",
    run: async (open) => {
      const { tenants } = await open();
      await tenants.add(sampleTenant("north"));
      const first = sampleTenant("north", {
        state: "suspended",
        displayName: "N",
        limits: { "page.size": 5, "group.answerMembers": 0 },
        retention: { deleted: 0, audit: 30 },
        discovery: "open",
        secrets: "hash",
        revision: 7,
      });
      expectEqual(await tenants.replace(first, 1), true, "first");
      expectEqual(await tenants.replace(sampleTenant("north", { revision: 9 }), 1), false, "second");
      expectEqual(await tenants.replace(sampleTenant("west", { revision: 2 }), 1), false, "no tenant");
      expectEqual(await tenants.find("north"), first, "found");
    },
  },
  {
    rule: "tenant/remove-rows",
    name: "the rows of a tenant go in batches, those of others and the tenant itself stay",
    run: async (open) => {
      const { tenants, connections, tokens } = await open();
      for (const name of ["north", "south"]) {
        await tenants.add(sampleTenant(name));
        await connections.add(sampleConnection("hr", { tenant: name }));
        for (const id of ["t1", "t2"]) await tokens.addToken(sampleToken(id, { tenant: name }));
      }
      const batches = [];
      for (let rows = -1; rows !== 0; batches.push(rows)) rows = await tenants.removeRows("north", 2);
      expectEqual(
        batches.reduce((sum, rows) => sum + rows, 0),
        3,
        "rows",
      );
      expectEqual(
        batches.every((rows) => rows <= 2),
        true,
        "batches",
      );
      expectEqual(await connections.list("north"), [], "connections");
      expectEqual(await tokens.listTokens("north"), [], "tokens");
      expectEqual(await tenants.find("north"), sampleTenant("north"), "the tenant");
      expectEqual((await connections.list("south")).length, 1, "another's connections");
      expectEqual((await tokens.listTokens("south")).length, 2, "another's tokens");
    },
  },
  {
    rule: "connection/add",
    name: "a connection is found as it was added, in its tenant alone",
    run: async (open) => {
      const { connections } = await open();
      const hr = sampleConnection("hr", {
        state: "suspended",
        profile: "strict",
        switches: [
          { name: "require-version", on: true },
          { name: "bare-token", on: false },
        ],
        rate: { perSecond: 0.5, burst: 7 },
        guard: { mode: "hold", atLeast: 5, percent: 2.5, window: 30, named: ["boss"] },
        silentAfter: 90,
      });
      const okta = sampleConnection("okta");
      expectEqual(await connections.add(okta), true, "first");
      expectEqual(await connections.add(hr), true, "second");
      expectEqual(await connections.add(sampleConnection("hr")), false, "again");
      expectEqual(await connections.find("north", "hr"), hr, "found");
      expectEqual(await connections.find("south", "hr"), null, "another tenant's");
      expectEqual(await connections.list("north"), [hr, okta], "list");
      expectEqual(await connections.list("north", { after: null, count: 1 }), [hr], "the first page");
      expectEqual(await connections.list("north", { after: "hr", count: 1 }), [okta], "the second page");
    },
  },
  {
    rule: "connection/replace",
    name: "of two changes of one revision the first is kept",
    run: async (open) => {
      const { connections } = await open();
      await connections.add(sampleConnection("hr", { profile: "strict" }));
      const first = sampleConnection("hr", { rate: { perSecond: 5, burst: 10 }, revision: 7 });
      expectEqual(await connections.replace(first, 1), true, "first");
      expectEqual(await connections.replace(sampleConnection("hr", { revision: 9 }), 1), false, "second");
      expectEqual(await connections.find("north", "hr"), first, "found");
    },
  },
  {
    rule: "connection/remove",
    name: "a connection goes with its tokens, and with no others",
    run: async (open) => {
      const { connections, tokens } = await open();
      const hr = sampleConnection("hr");
      await connections.add(hr);
      await tokens.addToken(sampleToken("t1", { connection: "hr" }));
      await tokens.addToken(sampleToken("t2", { connection: "okta" }));
      await tokens.addToken(sampleToken("t3", { connection: "hr", tenant: "south" }));
      expectEqual(await connections.remove({ ...hr, revision: 2 }), false, "another revision");
      expectEqual((await tokens.listTokens("north")).length, 2, "tokens of one that stays");
      expectEqual(await connections.remove(hr), true, "first");
      expectEqual(await connections.remove(hr), false, "second");
      expectEqual(
        (await tokens.listTokens("north")).map(({ id }) => id),
        ["t2"],
        "tokens",
      );
      expectEqual((await tokens.listTokens("south")).length, 1, "another tenant's");
    },
  },
];
