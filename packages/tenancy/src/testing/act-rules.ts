/**
 * Rules of stores that tell acts of administrators.
 * @module
 */
import type { EventFeed, FeedEvent } from "@scim/core";
import { type ContractRule, expectEqual } from "@scim/core/testing";
import type { AdminAct, AdminTrail } from "../acts/admin-act.ts";
import { ADMIN_TENANT } from "../credentials/token-text.ts";
import { sampleClient, sampleSecret, sampleTrust } from "./client-rules.ts";
import { sampleConnection, sampleTenant, type TenancyStores } from "./tenant-rules.ts";
import { sampleToken } from "./token-rules.ts";

/** Stores of tenants, connections, tokens and clients, and the events of the same database. */
export interface ToldTenancy extends TenancyStores {
  readonly events: Pick<EventFeed, "assign" | "read">;
  readonly trail: AdminTrail;
}

/** A rule of stores that tell acts. */
export type AdminActRule = ContractRule<ToldTenancy>;

const AT = "2026-03-01T09:00:00.000Z";

function act(id: string, of: Partial<AdminAct> = {}): AdminAct {
  return {
    at: AT,
    origin: { admin: "ann", address: "192.0.2.7" },
    kind: "created",
    type: "Tenant",
    id,
    before: null,
    after: { state: "active" },
    revision: 1,
    ...of,
  };
}

/**
 * The events of all acts so far. A database gives positions when it knows that no earlier transaction is under way, for
 * which it may look at other databases beside it: the act that is told last says when all are there.
 */
async function told({ events, trail }: ToldTenancy): Promise<readonly FeedEvent[]> {
  await trail.tell(act(LAST));
  for (;;) {
    await events.assign(100);
    const all = await events.read(ADMIN_TENANT, { after: 0, limit: 100 });
    if (all.at(-1)?.id === LAST) return all.slice(0, -1);
  }
}

const LAST = "the last one";

/** What stores that have events do with acts, as data without a test runner. */
export const ADMIN_ACT_CONTRACT: readonly AdminActRule[] = [
  {
    rule: "act/event",
    name: "an act is an event of the tenant of administrators",
    run: async (open) => {
      const stores = await open();
      const suspended = act("north", {
        kind: "replaced",
        before: { state: "active", displayName: "N" },
        after: { state: "suspended", displayName: "N" },
        revision: 7,
        revisionBefore: 1,
      });
      await stores.tenants.add(sampleTenant("north"), act("north"));
      await stores.tenants.replace(sampleTenant("north", { state: "suspended", revision: 7 }), 1, suspended);
      const [first, second] = await told(stores);
      expectEqual(
        first,
        {
          position: 1,
          at: AT,
          connection: ADMIN_TENANT,
          origin: { admin: "ann", address: "192.0.2.7" },
          subject: null,
          kind: "created",
          type: "Tenant",
          id: "north",
          version: "1",
          versionBefore: null,
          changed: ["state"],
          before: null,
          after: { state: "active" },
          collections: [],
        },
        "created",
      );
      expectEqual([second?.version, second?.versionBefore], ["7", "1"], "versions");
      expectEqual(second?.changed, ["state"], "changed");
      expectEqual(second?.before, { state: "active", displayName: "N" }, "before");
    },
  },
  {
    rule: "act/all-or-nothing",
    name: "what is not done is not told",
    run: async (open) => {
      const stores = await open();
      const { tenants, connections, tokens } = stores;
      const hr = sampleConnection("hr");
      await tenants.add(sampleTenant("north"));
      await connections.add(hr);
      await tokens.addToken(sampleToken("t1"));
      await tenants.add(sampleTenant("north"), act("add"));
      await tenants.replace(sampleTenant("north", { revision: 7 }), 6, act("replace"));
      await connections.add(hr, act("add"));
      await connections.replace({ ...hr, revision: 7 }, 6, act("replace"));
      await connections.remove({ ...hr, revision: 7 }, act("remove"));
      await tokens.addToken(sampleToken("t1"), act("add")).catch(() => undefined);
      await tokens.revokeToken({ tenant: "north", id: "t2" }, AT, act("revoke"));
      const { clients } = stores;
      await clients.addClient(sampleClient("c1"));
      await clients.addClient(sampleClient("c1"), act("add")).catch(() => undefined);
      await clients.replaceClient(sampleClient("c1", { revision: 7 }), 6, act("replace"));
      await clients.removeClient(sampleClient("c1", { revision: 7 }), act("remove"));
      await clients.removeSecret(sampleSecret("s1"), act("remove"));
      await clients.removeTrust(sampleTrust("t1"), act("remove"));
      expectEqual(await told(stores), [], "told");
    },
  },
  {
    rule: "act/every-write",
    name: "every write tells the act that it is given",
    run: async (open) => {
      const stores = await open();
      const { connections, tokens } = stores;
      const hr = sampleConnection("hr");
      await connections.add(hr, act("1"));
      await connections.replace({ ...hr, revision: 2 }, 1, act("2"));
      await tokens.addToken(sampleToken("t1"), act("3"));
      await tokens.revokeToken({ tenant: "north", id: "t1" }, AT, act("4"));
      await connections.remove({ ...hr, revision: 2 }, act("5"));
      await stores.trail.tell(act("6"));
      expectEqual(
        (await told(stores)).map(({ id }) => id),
        ["1", "2", "3", "4", "5", "6"],
        "told",
      );
    },
  },
  {
    rule: "act/every-write-of-clients",
    name: "every write of a client tells the act that it is given",
    run: async (open) => {
      const stores = await open();
      const { clients } = stores;
      await clients.addClient(sampleClient("c1"), act("1"));
      await clients.replaceClient(sampleClient("c1", { revision: 2 }), 1, act("2"));
      await clients.addSecret(sampleSecret("s1"), act("3"));
      await clients.removeSecret(sampleSecret("s1"), act("4"));
      await clients.addTrust(sampleTrust("t1"), act("5"));
      await clients.removeTrust(sampleTrust("t1"), act("6"));
      await clients.removeClient(sampleClient("c1", { revision: 2 }), act("7"));
      expectEqual(
        (await told(stores)).map(({ id }) => id),
        ["1", "2", "3", "4", "5", "6", "7"],
        "told",
      );
    },
  },
];
