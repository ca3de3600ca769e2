/**
 * What goes with a connection or a client is added while that is there, and no more of it than may be, whoever adds at once.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import type { TokenScheme } from "../credentials/port.ts";
import { sampleClient, sampleSecret, sampleTrust } from "./client-rules.ts";
import { sampleConnection, sampleTenant, type TenancyStoreRule, type TenancyStores } from "./tenant-rules.ts";
import { sampleToken } from "./token-rules.ts";

const C1 = { tenant: "north", id: "c1" };
/** Who adds at once, and how many of them may. */
const NUMBERS = Array.from({ length: 12 }, (_, number) => number);
export const MOST = 3;

/** How many of those who add at once are told that they did. */
export async function addedAtOnce(add: (number: number) => Promise<boolean>): Promise<number> {
  const told = await Promise.all(NUMBERS.map((number) => add(number)));
  return told.filter((isAdded) => isAdded).length;
}

/** A tenant with two connections. */
async function fill({ tenants, connections }: TenancyStores): Promise<void> {
  await tenants.add(sampleTenant("north"));
  for (const name of ["hr", "okta"]) await connections.add(sampleConnection(name));
}

/** Rules of what there is room for. */
export const ROOM_RULES: readonly TenancyStoreRule[] = [
  {
    rule: "connection/credentials",
    name: "a token and a client that go with a connection are added while it is there, and not behind its removal",
    run: async (open) => {
      const { connections, tokens, clients } = await open();
      const hr = sampleConnection("hr");
      await connections.add(hr);
      const key = sampleToken("t1", { connection: "hr" });
      const client = sampleClient("c1", { connection: "hr" });
      expectEqual(await tokens.addToken(key, undefined, hr), true, "token");
      expectEqual(await clients.addClient(client, undefined, hr), true, "client");
      await connections.add(sampleConnection("okta"));
      await connections.add(sampleConnection("other", { tenant: "south" }));
      const elsewhere = { tenant: "north", connection: "other" };
      expectEqual(await tokens.addToken(sampleToken("t2"), undefined, elsewhere), false, "of another tenant");
      await connections.remove(hr);
      expectEqual(await tokens.addToken(key, undefined, hr), false, "token behind it");
      expectEqual(await clients.addClient(client, undefined, hr), false, "client behind it");
      expectEqual(await tokens.listTokens("north"), [], "tokens");
      expectEqual(await clients.listClients("north", null), [], "clients");
    },
  },
  {
    rule: "client/credentials",
    name: "a secret and a trust are added while their client is there: none is left of one that is removed meanwhile",
    run: async (open) => {
      const { clients } = await open();
      expectEqual(await clients.addSecret(sampleSecret("s1")), false, "a secret before it");
      expectEqual(await clients.addTrust(sampleTrust("t1")), false, "a trust before it");
      await clients.addClient(sampleClient("c1", { tenant: "south" }));
      expectEqual(await clients.addSecret(sampleSecret("s1")), false, "a secret of another tenant's");
      for (const number of NUMBERS) {
        const [id, client] = [`x${number}`, `x${number}`];
        await clients.addClient(sampleClient(id));
        const trust = sampleTrust("t1", { client, purpose: "access-token", subject: id });
        await Promise.all([
          clients.addSecret(sampleSecret("s1", { client })),
          clients.addTrust(trust),
          clients.removeClient(sampleClient(id)),
          clients.addSecret(sampleSecret("s2", { client })),
          clients.addTrust({ ...trust, id: "t2", subject: `${id} once more` }),
        ]);
        const name = { tenant: "north", id };
        expectEqual([await clients.listSecrets(name), await clients.listTrusts(name)], [[], []], "left");
        // The subject is free for another client.
        await clients.addClient(sampleClient(`y${number}`));
        expectEqual(await clients.addTrust({ ...trust, client: `y${number}` }), true, "the next");
      }
    },
  },
  {
    rule: "client/room",
    name: "of clients, secrets and trusts that are added at once there are no more than may be",
    run: async (open) => {
      const stores = await open();
      await fill(stores);
      const { clients } = stores;
      const hr = { tenant: "north", connection: "hr", most: MOST };
      const client = (number: number, connection = "hr"): Promise<boolean> =>
        clients.addClient(sampleClient(`c${number}`, { connection }), undefined, { ...hr, connection });
      expectEqual(await addedAtOnce(client), MOST, "clients");
      expectEqual((await clients.listClients("north", "hr")).length, MOST, "clients that there are");
      expectEqual(await client(20, "okta"), true, "another connection's");
      await clients.addClient(sampleClient("c1", { tenant: "south" }));
      const of = { tenant: "south" };
      const over = sampleSecret("over", { ...of, expires: sampleSecret("s").created });
      expectEqual(await clients.addSecret(over, undefined, MOST), true, "a secret that is over");
      const secret = (number: number): Promise<boolean> =>
        clients.addSecret(sampleSecret(`s${number}`, of), undefined, MOST);
      expectEqual(await addedAtOnce(secret), MOST, "secrets");
      const trust = (number: number): Promise<boolean> =>
        clients.addTrust(sampleTrust(`t${number}`, { ...of, subject: `s${number}` }), undefined, MOST);
      expectEqual(await addedAtOnce(trust), MOST, "trusts");
      expectEqual((await clients.listSecrets({ ...C1, ...of })).length, MOST + 1, "secrets that there are");
      expectEqual((await clients.listTrusts({ ...C1, ...of })).length, MOST, "trusts that there are");
    },
  },
  {
    rule: "client/same-trust",
    name: "of trusts of a client for the same JWTs that are added at once there is one",
    run: async (open) => {
      const { clients } = await open();
      for (const id of ["c1", "c2"]) await clients.addClient(sampleClient(id));
      expectEqual(await addedAtOnce((number) => clients.addTrust(sampleTrust(`t${number}`))), 1, "the same");
      const others = [
        sampleTrust("u1", { client: "c2" }),
        sampleTrust("u2", { purpose: "access-token" }),
        sampleTrust("u3", { issuer: "https://other.example" }),
        sampleTrust("u4", { audience: "api://other" }),
        sampleTrust("u5", { claim: "azp" }),
        sampleTrust("u6", { subject: "other" }),
      ];
      for (const other of others) expectEqual(await clients.addTrust(other), true, other.id);
    },
  },
  {
    rule: "token/room",
    name: "of tokens of one scheme that are added at once a tenant has no more than may be, over all connections",
    run: async (open) => {
      const stores = await open();
      await fill(stores);
      const { tokens } = stores;
      const token = (number: number, scheme: TokenScheme = "bcrypt"): Promise<boolean> => {
        const connection = number % 2 === 0 ? "hr" : "okta";
        const of = { tenant: "north", connection, most: MOST };
        return tokens.addToken(sampleToken(`t${number}`, { connection, scheme }), undefined, of);
      };
      expectEqual(await addedAtOnce((number) => token(number)), MOST, "added");
      const [first, second] = await tokens.findForeignTokens("north", sampleToken("now").created);
      expectEqual(
        (await tokens.findForeignTokens("north", sampleToken("now").created)).length,
        MOST,
        "that there are",
      );
      expectEqual(await token(20, "hmac-sha256"), true, "of another scheme");
      await tokens.revokeToken({ tenant: "north", id: first?.id ?? "" }, "2026-03-01T09:00:00.000Z");
      expectEqual(await token(21), true, "in the place of one that was revoked");
      await tokens.rehashToken(
        { tenant: "north", id: second?.id ?? "" },
        { hash: "new", keyId: "k1" },
        sampleToken("now").created,
      );
      expectEqual(await token(22), true, "in the place of one that was used");
      expectEqual(await token(23), false, "beyond them");
      const over = { expires: sampleToken("now").created, scheme: "bcrypt" } as const;
      for (const id of ["t31", "t32"]) await tokens.addToken(sampleToken(id, over));
      await tokens.revokeToken({ tenant: "north", id: "t22" }, "2026-03-01T09:00:00.000Z");
      expectEqual(await token(24), true, "beside some that have ended");
      expectEqual(await token(25), false, "beyond them once more");
    },
  },
];
