/**
 * Rules of stores of OAuth clients.
 * @module
 */
import { ContractViolation, expectEqual } from "@scim/core/testing";
import type { AccessToken, ClientSecret, ClientTrust, OAuthClient } from "../oauth/client.ts";
import type { ClientStore } from "../oauth/client-store.ts";
import { sampleConnection, type TenancyStoreRule } from "./tenant-rules.ts";

const [EIGHT, NINE, TEN] = [8, 9, 10].map((hour) => `2026-03-01T${String(hour).padStart(2, "0")}:00:00.000Z`);
const CREATED = EIGHT ?? "";

/** A client of connection `hr` of tenant `north`, unless something else is said. */
export function sampleClient(id: string, of: Partial<OAuthClient> = {}): OAuthClient {
  return {
    tenant: "north",
    id,
    connection: "hr",
    name: null,
    state: "active",
    scopes: ["scim"],
    tokenLifetime: 3600,
    created: CREATED,
    createdBy: null,
    revision: 1,
    ...of,
  };
}

/** A secret of client `c1` of tenant `north`, unless something else is said. */
export function sampleSecret(id: string, of: Partial<ClientSecret> = {}): ClientSecret {
  return {
    tenant: "north",
    client: "c1",
    id,
    hash: `hash-of-${id}`,
    keyId: "k1",
    created: CREATED,
    createdBy: "ann",
    expires: "2027-03-01T08:00:00.000Z",
    lastUsed: null,
    ...of,
  };
}

/** A trust of client `c1` of tenant `north`, unless something else is said. */
export function sampleTrust(id: string, of: Partial<ClientTrust> = {}): ClientTrust {
  return {
    tenant: "north",
    client: "c1",
    id,
    purpose: "assertion",
    issuer: "https://id.example",
    jwksUri: "https://id.example/keys",
    audience: "api://scim",
    claim: "sub",
    subject: "provisioning",
    requireJti: false,
    created: CREATED,
    createdBy: null,
    ...of,
  };
}

function token(hash: string, of: Partial<AccessToken> = {}): AccessToken {
  return {
    tenant: "north",
    client: "c1",
    credential: "s1",
    hash,
    keyId: "k1",
    scopes: ["scim:read"],
    created: CREATED,
    expires: NINE ?? "",
    ...of,
  };
}

/** The hashes of access tokens that a store still has. */
async function kept(clients: ClientStore, tenant = "north"): Promise<readonly string[]> {
  const found = await clients.findAccessTokens(tenant, ["a", "b", "c", "d"]);
  return found.map(({ token: { hash } }) => hash).toSorted();
}

async function expectRefused(adding: Promise<unknown>, what: string): Promise<void> {
  const isRefused = await adding.then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new ContractViolation(what, "added", "an error");
}

/** The contract of stores of OAuth clients, as data without a test runner. */
export const CLIENT_STORE_CONTRACT: readonly TenancyStoreRule[] = [
  {
    rule: "client/add",
    name: "a client is found as it was added, in its tenant alone, and listed by connection",
    run: async (open) => {
      const { clients } = await open();
      const one = sampleClient("c1", {
        name: "Entra",
        state: "suspended",
        scopes: ["scim:read"],
        createdBy: "ann",
      });
      const two = sampleClient("c2", { connection: "okta", created: NINE ?? "" });
      await clients.addClient(two);
      await clients.addClient(one);
      await expectRefused(clients.addClient(sampleClient("c1")), "adding a client twice");
      expectEqual(await clients.findClient({ tenant: "north", id: "c1" }), one, "found");
      expectEqual(await clients.findClient({ tenant: "south", id: "c1" }), null, "another tenant's");
      expectEqual(await clients.listClients("north", null), [one, two], "all");
      expectEqual(await clients.listClients("north", "okta"), [two], "of a connection");
      expectEqual(await clients.listClients("north", null, { after: null, count: 1 }), [one], "a page");
      expectEqual(await clients.listClients("north", null, { after: "c1", count: 9 }), [two], "the next");
      expectEqual(await clients.listClients("south", null), [], "of another tenant");
    },
  },
  {
    rule: "client/replace",
    name: "of two changes of one revision the first is kept",
    run: async (open) => {
      const { clients } = await open();
      await clients.addClient(sampleClient("c1"));
      const changed = { state: "suspended", tokenLifetime: 600, name: "N", scopes: ["scim:read"] } as const;
      const first = sampleClient("c1", { ...changed, revision: 7 });
      expectEqual(await clients.replaceClient(first, 1), true, "first");
      expectEqual(await clients.replaceClient(sampleClient("c1", { revision: 9 }), 1), false, "second");
      expectEqual(await clients.replaceClient(sampleClient("c9", { revision: 2 }), 1), false, "no client");
      expectEqual(await clients.findClient({ tenant: "north", id: "c1" }), first, "found");
    },
  },
  {
    rule: "client/secrets",
    name: "a client has several secrets, and one that is taken away takes its access tokens along",
    run: async (open) => {
      const { clients } = await open();
      const name = { tenant: "north", id: "c1" };
      const [one, two] = [sampleSecret("s1"), sampleSecret("s2", { created: NINE ?? "", createdBy: null })];
      for (const id of ["c1", "c2"]) await clients.addClient(sampleClient(id));
      await clients.addSecret(two);
      await clients.addSecret(one);
      await clients.addSecret(sampleSecret("s1", { client: "c2" }));
      await expectRefused(clients.addSecret(sampleSecret("s1")), "adding a secret twice");
      expectEqual(await clients.listSecrets(name), [one, two], "listed");
      expectEqual(await clients.listSecrets({ tenant: "south", id: "c1" }), [], "another tenant's");
      expectEqual(await clients.addAccessToken(token("a"), null), true, "token");
      await clients.addAccessToken(token("b", { credential: "s2" }), null);
      expectEqual(
        await clients.listSecrets(name),
        [
          { ...one, lastUsed: CREATED },
          { ...two, lastUsed: CREATED },
        ],
        "used",
      );
      expectEqual(await clients.removeSecret(one), true, "first");
      expectEqual(await clients.removeSecret(one), false, "second");
      expectEqual(
        (await clients.listSecrets(name)).map(({ id }) => id),
        ["s2"],
        "left",
      );
      expectEqual(await kept(clients), ["b"], "tokens");
      await clients.addAccessToken(token("c"), null);
      expectEqual(await kept(clients), ["b"], "a token that was on its way when its secret went");
      expectEqual((await clients.listSecrets({ tenant: "north", id: "c2" })).length, 1, "another client's");
    },
  },
  {
    rule: "client/trusts",
    name: "a trust for access tokens is found by issuer and subject in its tenant, and takes its access tokens along",
    run: async (open) => {
      const { clients } = await open();
      const one = sampleTrust("t1", { requireJti: true, createdBy: "ann" });
      const two = sampleTrust("t2", { purpose: "access-token", claim: "azp", created: NINE ?? "" });
      await clients.addClient(sampleClient("c1"));
      expectEqual(await clients.addTrust(two), true, "second");
      expectEqual(await clients.addTrust(one), true, "first");
      expectEqual(await clients.listTrusts({ tenant: "north", id: "c1" }), [one, two], "listed");
      const query = { issuer: one.issuer, subjects: ["other", one.subject] };
      const found = { trust: two, client: sampleClient("c1") };
      expectEqual(await clients.findAccessTrusts("north", query), [found], "found");
      expectEqual(await clients.findAccessTrusts("south", query), [], "another tenant");
      expectEqual(
        await clients.findAccessTrusts("north", { ...query, subjects: ["other"] }),
        [],
        "another subject",
      );
      expectEqual(
        await clients.findAccessTrusts("north", { ...query, issuer: "https://x" }),
        [],
        "another issuer",
      );
      await clients.addAccessToken(token("a", { credential: "t1" }), null);
      expectEqual(await clients.removeTrust(one), true, "removed");
      expectEqual(await clients.removeTrust(one), false, "again");
      await clients.addAccessToken(token("b", { credential: "t1" }), null);
      expectEqual(await kept(clients), [], "tokens, one that was on its way among them");
    },
  },
  {
    rule: "client/one-trust",
    name: "claims of an access token lead to one client of a tenant, those of an assertion may lead to several",
    run: async (open) => {
      const { clients } = await open();
      for (const id of ["c1", "c2"]) await clients.addClient(sampleClient(id));
      await clients.addClient(sampleClient("c1", { tenant: "south" }));
      const foreign = sampleTrust("t1", { purpose: "access-token" });
      expectEqual(await clients.addTrust(foreign), true, "first");
      expectEqual(await clients.addTrust({ ...foreign, id: "t2", client: "c2" }), false, "the same claims");
      expectEqual(await clients.addTrust({ ...foreign, id: "t2", audience: "b" }), true, "another audience");
      expectEqual(await clients.addTrust({ ...foreign, id: "t3", tenant: "south" }), true, "another tenant");
      expectEqual(await clients.addTrust(sampleTrust("t4")), true, "an assertion");
      expectEqual(
        await clients.addTrust(sampleTrust("t4", { client: "c2" })),
        true,
        "the same of another client",
      );
    },
  },
  {
    rule: "client/tokens",
    name: "an access token is found with its client as that is now, and expired ones go",
    run: async (open) => {
      const { clients } = await open();
      await clients.addClient(sampleClient("c1"));
      await clients.addSecret(sampleSecret("s1"));
      await clients.addAccessToken(token("a"), null);
      const [found] = await clients.findAccessTokens("north", ["z", "a"]);
      expectEqual(found, { token: token("a"), client: sampleClient("c1") }, "found");
      expectEqual(await clients.findAccessTokens("south", ["a"]), [], "another tenant");
      expectEqual(await clients.findAccessTokens("north", []), [], "no hash");
      const changed = sampleClient("c1", { state: "suspended", revision: 2 });
      await clients.replaceClient(changed, 1);
      expectEqual((await clients.findAccessTokens("north", ["a"]))[0]?.client, changed, "as it is now");
      await clients.addAccessToken(
        token("b", { created: TEN ?? "", expires: "2026-03-01T11:00:00.000Z" }),
        null,
      );
      expectEqual(await kept(clients), ["b"], "left");
    },
  },
  {
    rule: "client/assertion-once",
    name: "an assertion gives one access token of its client, until it cannot be used any more",
    run: async (open) => {
      const { clients } = await open();
      for (const id of ["c1", "c2"]) {
        await clients.addClient(sampleClient(id));
        await clients.addSecret(sampleSecret("s1", { client: id }));
      }
      const used = { jti: "j1", expires: NINE ?? "" };
      const late = { created: TEN ?? "", expires: "2026-03-01T11:00:00.000Z" };
      expectEqual(await clients.addAccessToken(token("a"), used), true, "first");
      expectEqual(await clients.addAccessToken(token("b"), used), false, "again");
      expectEqual(await clients.addAccessToken(token("c"), { ...used, jti: "j2" }), true, "another");
      expectEqual(await clients.addAccessToken(token("d", { client: "c2" }), used), true, "another client's");
      expectEqual(await kept(clients), ["a", "c", "d"], "tokens");
      expectEqual(await clients.addAccessToken(token("b", late), used), true, "when it is over");
    },
  },
  {
    rule: "client/purge",
    name: "access tokens that have expired go, and notes of assertions, though no other is given",
    run: async (open) => {
      const { clients } = await open();
      await clients.addClient(sampleClient("c1"));
      await clients.addSecret(sampleSecret("s1"));
      const used = { jti: "j1", expires: NINE ?? "" };
      await clients.addAccessToken(token("a"), used);
      await clients.addAccessToken(token("b"), null);
      const late = { created: NINE ?? "", expires: "2026-03-01T11:00:00.000Z" };
      await clients.addAccessToken(token("c", late), { jti: "j2", expires: late.expires });
      expectEqual(await clients.purgeExpired("north", NINE ?? "", 9), 0, "none has");
      expectEqual(await clients.purgeExpired("south", TEN ?? "", 9), 0, "another tenant");
      expectEqual(await clients.purgeExpired("north", TEN ?? "", 1), 1, "one at a time");
      expectEqual(await clients.purgeExpired("north", TEN ?? "", 9), 1, "the other");
      expectEqual(await kept(clients), ["c"], "kept");
      expectEqual(await clients.addAccessToken(token("d", late), used), true, "an assertion that is over");
      const again = { jti: "j2", expires: late.expires };
      expectEqual(await clients.addAccessToken(token("e", late), again), false, "one that is not");
    },
  },
  {
    rule: "client/purge-secrets",
    name: "secrets that ended before an instant go, of one tenant, some at a time",
    run: async (open) => {
      const { clients } = await open();
      for (const tenant of ["north", "south"]) {
        await clients.addClient(sampleClient("c1", { tenant }));
        for (const [id, expires] of [
          ["s1", CREATED],
          ["s2", CREATED],
          ["s3", NINE ?? ""],
        ] as const)
          await clients.addSecret(sampleSecret(id, { tenant, expires }));
      }
      const left = async (tenant: string): Promise<readonly string[]> =>
        (await clients.listSecrets({ tenant, id: "c1" })).map(({ id }) => id);
      expectEqual(await clients.purgeSecrets("north", CREATED, 9), 0, "none had");
      expectEqual(await clients.purgeSecrets("north", NINE ?? "", 1), 1, "one at a time");
      expectEqual(await clients.purgeSecrets("north", NINE ?? "", 9), 1, "the other");
      expectEqual([await left("north"), await left("south")], [["s3"], ["s1", "s2", "s3"]], "left");
    },
  },
  {
    rule: "client/remove",
    name: "a client goes with all that it has, by itself, with its connection and with its tenant",
    run: async (open) => {
      const { clients, connections, tenants } = await open();
      const fill = async (tenant: string, id: string, connection: string): Promise<void> => {
        await clients.addClient(sampleClient(id, { tenant, connection }));
        await clients.addSecret(sampleSecret("s1", { tenant, client: id }));
        await clients.addTrust(sampleTrust("t1", { tenant, client: id }));
        await clients.addAccessToken(token(id, { tenant, client: id }), { jti: id, expires: TEN ?? "" });
      };
      const left = async (tenant: string): Promise<readonly string[]> =>
        (await clients.listClients(tenant, null)).map(({ id }) => id);
      const hr = sampleConnection("hr");
      await connections.add(hr);
      await fill("north", "a", "hr");
      await fill("north", "b", "hr");
      await fill("north", "c", "okta");
      await fill("south", "a", "hr");
      const a = sampleClient("a", { connection: "hr" });
      expectEqual(await clients.removeClient({ ...a, revision: 2 }), false, "of another revision");
      expectEqual((await clients.listSecrets(a)).length, 1, "secrets of one that stays");
      expectEqual(await clients.removeClient(a), true, "by itself");
      expectEqual(await clients.removeClient(a), false, "again");
      expectEqual(await left("north"), ["b", "c"], "beside it");
      expectEqual(await connections.remove(hr), true, "the connection");
      expectEqual(await left("north"), ["c"], "of other connections");
      expectEqual(await kept(clients), ["c"], "tokens");
      expectEqual(await clients.listSecrets({ tenant: "north", id: "b" }), [], "secrets");
      expectEqual(await clients.listTrusts({ tenant: "north", id: "b" }), [], "trusts");
      while ((await tenants.removeRows("north", 10)) > 0);
      expectEqual(await left("north"), [], "with the tenant");
      expectEqual(await left("south"), ["a"], "another tenant's");
      expectEqual(await kept(clients, "south"), ["a"], "another tenant's tokens");
    },
  },
];
