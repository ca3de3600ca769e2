/**
 * What is done in a tenant is done there alone, and to what it is done to.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import type { AccessToken, ClientName } from "../oauth/client.ts";
import { sampleClient, sampleSecret, sampleTrust } from "./client-rules.ts";
import { sampleConnection, sampleTenant, type TenancyStoreRule, type TenancyStores } from "./tenant-rules.ts";
import { sampleToken } from "./token-rules.ts";

const AT = "2026-03-01T08:00:00.000Z";
const LATER = "2026-03-01T09:00:00.000Z";
const EXPIRES = "2027-03-01T08:00:00.000Z";
const [NORTH, SOUTH] = ["north", "south"];
const C1: ClientName = { tenant: NORTH, id: "c1" };
const NO_DEFINITIONS = { schemas: [], resourceTypes: [] };
const ROOM = { kind: "ResourceType", name: "Room", document: { name: "Room" }, changed: AT } as const;

/** Each connection with its token and its client. */
const OF_CONNECTIONS = [
  ["hr", "t1", "c1"],
  ["okta", "t2", "c2"],
] as const;
const CREDENTIALS = ["s1", "s2", "assertions", "foreign"];

/** An access token of a client, given for one of its secrets or trusts. */
function accessToken(
  { tenant, id: client }: ClientName,
  credential: string,
  of: Partial<AccessToken> = {},
): AccessToken {
  const hash = `${client} ${credential}`;
  const scopes = ["scim"];
  return { tenant, client, credential, hash, keyId: "k1", scopes, created: AT, expires: EXPIRES, ...of };
}

/** The same rows in each tenant. */
async function fill(stores: TenancyStores, name: string): Promise<void> {
  const { tenants, connections, tokens, clients, documents } = stores;
  const tenant = sampleTenant(name);
  await tenants.add(tenant);
  for (const [connection, token, id] of OF_CONNECTIONS) {
    await connections.add(sampleConnection(connection, { tenant: name }));
    await tokens.addToken(sampleToken(token, { tenant: name, connection, scheme: "sha256" }));
    await clients.addClient(sampleClient(id, { tenant: name, connection }));
    const own = { tenant: name, client: id };
    for (const secret of ["s1", "s2"]) await clients.addSecret(sampleSecret(secret, own));
    await clients.addTrust(sampleTrust("assertions", own));
    await clients.addTrust(sampleTrust("foreign", { ...own, purpose: "access-token", subject: id }));
    for (const credential of CREDENTIALS)
      await clients.addAccessToken(accessToken({ tenant: name, id }, credential), {
        jti: credential,
        expires: EXPIRES,
      });
  }
  const changed = { ...tenant, revision: 2, documents: 1 };
  await documents.change({ tenant: changed, before: 1, put: [ROOM], remove: [], broken: [], acts: [] });
  const served = { served: NO_DEFINITIONS, remembered: NO_DEFINITIONS };
  await documents.recordServed({ tenant: name, ...served, revision: 1 });
}

/** What a tenant has. */
async function whole(stores: TenancyStores, tenant: string): Promise<unknown> {
  const { tenants, connections, documents } = stores;
  return [
    await tenants.find(tenant),
    await connections.find(tenant, "hr"),
    await connections.list(tenant, { after: "a", count: 9 }),
    await partOf(stores, tenant, 0),
    await partOf(stores, tenant, 1),
    await documents.list(tenant),
    await documents.served(tenant),
  ];
}

/** What a tenant has by one of its connections. */
async function partOf(
  { connections, tokens, clients }: TenancyStores,
  tenant: string,
  index: 0 | 1,
): Promise<unknown> {
  const [connection, , id] = OF_CONNECTIONS[index];
  const hashes = CREDENTIALS.map((credential) => accessToken({ tenant, id }, credential).hash);
  return [
    await connections.find(tenant, connection),
    await tokens.listTokens(tenant, { connection }),
    await clients.listClients(tenant, connection),
    await clients.listSecrets({ tenant, id }),
    await clients.listTrusts({ tenant, id }),
    (await clients.findAccessTokens(tenant, hashes)).toSorted((a, b) =>
      a.token.hash < b.token.hash ? -1 : 1,
    ),
    await clients.findAccessTrusts(tenant, { issuer: sampleTrust("t").issuer, subjects: [id] }),
  ];
}

/** The tenants that rows name. */
function tenantsIn(rows: unknown): readonly string[] {
  const found = new Set<string>();
  JSON.stringify(rows, (key, value: unknown) => {
    if (key === "tenant" && typeof value === "string") found.add(value);
    return value;
  });
  return [...found];
}

/** What is done to the first of a tenant's connections, its token and its client. */
const DEEDS: readonly (readonly [what: string, done: (stores: TenancyStores) => Promise<unknown>])[] = [
  ["used", ({ tokens }) => tokens.noteUse({ tenant: NORTH, id: "t1" }, { at: LATER, before: LATER })],
  [
    "hashed anew",
    ({ tokens }) => tokens.rehashToken({ tenant: NORTH, id: "t1" }, { hash: "new", keyId: "k2" }, LATER),
  ],
  ["revoked", ({ tokens }) => tokens.revokeToken({ tenant: NORTH, id: "t1" }, LATER)],
  ["taken away", ({ tokens }) => tokens.removeToken(NORTH, "t1")],
  ["over", ({ clients }) => clients.purgeExpired(NORTH, "2028-01-01T00:00:00.000Z", 1)],
  [
    "suspended",
    ({ clients }) => clients.replaceClient(sampleClient("c1", { state: "suspended", revision: 2 }), 1),
  ],
  [
    "given a token",
    ({ clients }) => clients.addAccessToken(accessToken(C1, "s1", { hash: "more", created: LATER }), null),
  ],
  ["without a secret", ({ clients }) => clients.removeSecret(sampleSecret("s1"))],
  ["without a trust", ({ clients }) => clients.removeTrust(sampleTrust("assertions"))],
  ["removed", ({ clients }) => clients.removeClient(sampleClient("c1", { revision: 2 }))],
  [
    "replaced",
    ({ connections }) => connections.replace(sampleConnection("hr", { silentAfter: 5, revision: 2 }), 1),
  ],
  ["put back", ({ connections }) => connections.replace(sampleConnection("hr"), 2)],
  ["taken away", ({ connections }) => connections.remove(sampleConnection("hr"))],
  ["renamed", ({ tenants }) => tenants.replace(sampleTenant(NORTH, { displayName: "N", revision: 3 }), 2)],
  [
    "without documents",
    ({ documents }) => {
      const tenant = sampleTenant(NORTH, { revision: 4, documents: 2 });
      return documents.change({ tenant, before: 3, put: [], remove: [ROOM.name], broken: [], acts: [] });
    },
  ],
  [
    "served otherwise",
    ({ documents }) => {
      const remembered = { schemas: [{ id: "urn:example:Room", attributes: [] }], resourceTypes: [] };
      return documents.recordServed({ tenant: NORTH, served: NO_DEFINITIONS, remembered, revision: 2 });
    },
  ],
];

/** Rules of rows beside each other. */
export const NEIGHBOUR_RULES: readonly TenancyStoreRule[] = [
  {
    rule: "tenant/neighbours",
    name: "what is done to a token, a client, a connection or a tenant is done to no other, and none is of another tenant",
    run: async (open) => {
      const stores = await open();
      for (const tenant of [NORTH, SOUTH]) await fill(stores, tenant);
      for (const tenant of [NORTH, SOUTH])
        expectEqual(tenantsIn(await whole(stores, tenant)), [tenant], `rows of ${tenant}`);
      const [south, okta] = [await whole(stores, SOUTH), await partOf(stores, NORTH, 1)];
      for (const [what, done] of DEEDS) {
        await done(stores);
        expectEqual(await whole(stores, SOUTH), south, `another tenant beside what is ${what}`);
        expectEqual(await partOf(stores, NORTH, 1), okta, `the rest of the tenant beside what is ${what}`);
      }
      while ((await stores.tenants.removeRows(NORTH, 100)) > 0);
      expectEqual(await whole(stores, SOUTH), south, "another tenant beside one whose rows went");
    },
  },
  {
    rule: "client/remove-whole",
    name: "of a client that went, or whose tenant did, nothing comes back with one of its id",
    run: async (open) => {
      const stores = await open();
      const { clients, tenants, documents } = stores;
      await fill(stores, NORTH);
      const comesBack = async (): Promise<void> => {
        const [name, own] = [C1, sampleClient("c1")];
        await clients.addClient(own);
        expectEqual(await clients.listSecrets(name), [], "secrets");
        expectEqual(await clients.listTrusts(name), [], "trusts");
        await clients.addSecret(sampleSecret("s1"));
        const hashes = CREDENTIALS.map((credential) => accessToken(C1, credential).hash);
        expectEqual(await clients.findAccessTokens(NORTH, hashes), [], "access tokens");
        for (const jti of CREDENTIALS) {
          const used = { jti, expires: EXPIRES };
          const given = accessToken(C1, "s1", { hash: `once more ${jti}` });
          expectEqual(await clients.addAccessToken(given, used), true, "assertions");
        }
      };
      await clients.removeClient(sampleClient("c1"));
      await comesBack();
      let rows = -1;
      while (rows !== 0) {
        rows = await tenants.removeRows(NORTH, 1);
        expectEqual(rows <= 1, true, "no more rows than may go");
      }
      for (const id of ["c1", "c2"]) {
        const name = { tenant: NORTH, id };
        expectEqual([await clients.listSecrets(name), await clients.listTrusts(name)], [[], []], "of those");
      }
      await comesBack();
      expectEqual(await documents.list(NORTH), [], "documents");
      expectEqual(await documents.served(NORTH), null, "what was served");
    },
  },
  {
    rule: "tenant/names",
    name: "names are found in their own spelling alone",
    run: async (open) => {
      const { tenants, connections } = await open();
      await tenants.add(sampleTenant(NORTH));
      await connections.add(sampleConnection("hr"));
      for (const name of ["North", "north ", "nort", "nort_", "%"]) {
        expectEqual(await tenants.find(name), null, `tenant ${name}`);
        expectEqual(await connections.find(name, "hr"), null, `connection of ${name}`);
      }
      for (const name of ["HR", "hr ", "h", "h_", "%"])
        expectEqual(await connections.find(NORTH, name), null, `connection ${name}`);
    },
  },
];
