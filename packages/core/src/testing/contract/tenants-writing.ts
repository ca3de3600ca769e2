/**
 * Rules of writes of two tenants whose resources have the same ids: none reaches over to the other tenant.
 * @module
 */
import { connectionRule, ruledEntry } from "../../plan/entries.ts";
import { GROUP_NAME_UNIQUE } from "../../profiles/group-name-unique.ts";
import type { ResourceStore, StoreScope } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { WritePlan } from "../../store/write-plan.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import { modelOf } from "./models.ts";
import { indexPage, matchingIds } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  AT,
  createPlan,
  deletePlan,
  fetchOne,
  MEMBERS,
  NOTHING,
  removing,
  restorePlan,
  SCOPE,
  updatePlan,
} from "./sample.ts";
import { seedTenants, SOUTH } from "./tenants.ts";

const ANNA = { type: "User", id: "u1" } as const;
const BERT = { type: "User", id: "u2" } as const;
const TEAM = { type: "Group", id: "g1" } as const;

/** After {@link AT}. */
const NEXT_DAY = "2026-03-02T08:00:00.000Z";

/** All that a tenant has, deleted resources too. */
async function stateOf(store: ResourceStore, scope: StoreScope): Promise<unknown> {
  const everyone = { filter: null, sort: null, page: indexPage(0, 10) } as const;
  return {
    users: await store.readMany(scope, { type: "User", ids: ["u1", "u2", "u3"] }, NOTHING),
    groups: await store.readMany(scope, { type: "Group", ids: ["g1", "g2"] }, MEMBERS),
    found: [
      await matchingIds(store, { ...everyone, type: "User" }, scope),
      await matchingIds(store, { ...everyone, type: "Group" }, scope),
    ],
    deleted: await store.deleted?.list(scope, { since: "", after: null, limit: 10 }),
  };
}

/** The resource of a tenant, which must exist. */
async function fetchIn(
  store: ResourceStore,
  scope: StoreScope,
  target: typeof ANNA | typeof TEAM,
): Promise<StoredResource> {
  const stored = await store.read(scope, target, NOTHING);
  if (stored === null)
    throw new ContractViolation(`reading ${target.id} in ${scope.tenant}`, null, "a resource");
  return stored;
}

async function written(store: ResourceStore, scope: StoreScope, plan: WritePlan): Promise<void> {
  expectEqual((await store.write(scope, plan)).kind, "written", `${plan.kind} in ${scope.tenant}`);
}

/** Deletes a resource, and resolves to the plan that would restore it; null where the store keeps nothing. */
async function deleteOne(
  store: ResourceStore,
  scope: StoreScope,
  target: typeof ANNA | typeof TEAM,
): Promise<WritePlan | null> {
  await written(store, scope, deletePlan(await fetchIn(store, scope, target)));
  if (store.deleted === undefined) return null;
  const kept = await store.deleted.read(scope, target);
  if (kept === null) throw new ContractViolation(`reading deleted ${target.id}`, null, "a resource");
  return restorePlan(kept);
}

/** Writes of south, each made on what south has by then. */
const WRITES: Readonly<Record<string, (store: ResourceStore) => Promise<void>>> = {
  "a new resource": async (store) => {
    const bert = createPlan({ type: "User", id: "u3", body: { userName: "bert" } });
    expectEqual((await store.preview(SOUTH, bert)).kind, "written", "preview with a name that north has");
    await written(store, SOUTH, createPlan({ type: "User", id: "u3", body: { userName: "carl" } }));
  },
  "a body": async (store) => {
    const anna = await fetchIn(store, SOUTH, ANNA);
    // The name of a user of north.
    const plan = updatePlan(anna, { body: { userName: "bert", title: "south" } });
    expectEqual((await store.preview(SOUTH, plan)).kind, "written", "preview of a name that north has");
    await written(store, SOUTH, plan);
    const next = await fetchIn(store, SOUTH, ANNA);
    await written(store, SOUTH, updatePlan(next, { body: { userName: "dora", title: "south" } }));
  },
  "more members": async (store) => {
    const team = await fetchIn(store, SOUTH, TEAM);
    await written(store, SOUTH, updatePlan(team, { collections: [adding("new", "north")] }));
  },
  "fewer members": async (store) => {
    const team = await fetchIn(store, SOUTH, TEAM);
    await written(store, SOUTH, updatePlan(team, { collections: [removing("u1", "north")] }));
  },
  "no members": async (store) => {
    const team = await fetchIn(store, SOUTH, TEAM);
    const none = { path: "members", remove: "all", add: [] } as const;
    await written(store, SOUTH, updatePlan(team, { collections: [none] }));
  },
  deletions: async (store) => {
    await deleteOne(store, SOUTH, ANNA);
    await deleteOne(store, SOUTH, TEAM);
  },
};

export const TENANT_WRITE_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "tenant/writes",
    name: "what a tenant writes changes, frees and restores nothing of another that has the same ids",
    run: async (open) => {
      const store = await open();
      await seedTenants(store);
      const before = await stateOf(store, SCOPE);
      for (const [name, write] of Object.entries(WRITES)) {
        await write(store);
        expectEqual(await stateOf(store, SCOPE), before, `north after ${name} of south`);
      }
      const twin = createPlan({ type: "User", id: "u3", body: { userName: "anna" } });
      expectEqual((await store.write(SCOPE, twin)).kind, "duplicate", "a name that south gave up");
      if (store.deleted === undefined) return;
      await deleteOne(store, SCOPE, ANNA);
      const north = await stateOf(store, SCOPE);
      const kept = await store.deleted.read(SOUTH, ANNA);
      if (kept === null) throw new ContractViolation("reading what south deleted", null, "a resource");
      await written(store, SOUTH, restorePlan(kept));
      expectEqual(await stateOf(store, SCOPE), north, "north after a restoration of south");
    },
  },
  {
    rule: "tenant/plans",
    name: "a plan made on a resource of another tenant is a conflict, also when it is only tried out",
    run: async (open) => {
      const store = await open();
      await seedTenants(store);
      const anna = await fetchOne(store, ANNA);
      const bert = await fetchOne(store, BERT);
      const { version } = await fetchIn(store, SOUTH, ANNA);
      const before = [await stateOf(store, SCOPE), await stateOf(store, SOUTH)];
      for (const [plan, current] of [
        [updatePlan(anna, { body: { userName: "anna", title: "new" } }), version],
        [updatePlan(bert, { body: { userName: "bert", title: "new" } }), null],
        [
          updatePlan(await fetchOne(store, { type: "Group", id: "g2" }), { collections: [adding("x")] }),
          null,
        ],
        [deletePlan(anna), version],
        [deletePlan(bert), null],
      ] as const) {
        const refused = { kind: "conflict", current };
        expectEqual(await store.preview(SOUTH, plan), refused, `preview of ${plan.kind} ${plan.id}`);
        expectEqual(await store.write(SOUTH, plan), refused, `${plan.kind} ${plan.id}`);
      }
      expectEqual([await stateOf(store, SCOPE), await stateOf(store, SOUTH)], before, "both tenants");
      const plan = await deleteOne(store, SCOPE, TEAM);
      if (plan === null) return;
      for (const current of [(await fetchIn(store, SOUTH, TEAM)).version, null]) {
        const refused = { kind: "conflict", current };
        expectEqual(await store.preview(SOUTH, plan), refused, "preview of a restoration");
        expectEqual(await store.write(SOUTH, plan), refused, "restoration");
        if (current !== null) await deleteOne(store, SOUTH, TEAM);
      }
      expectEqual(await store.read(SCOPE, TEAM, NOTHING), null, "what north deleted");
    },
  },
  {
    rule: "tenant/purge",
    name: "a purge removes of each tenant what is older than the instant of that tenant",
    run: async (open) => {
      const store = await open();
      await seedTenants(store);
      for (const scope of [SCOPE, SOUTH]) await deleteOne(store, scope, ANNA);
      expectEqual(await store.purge((tenant) => (tenant === "south" ? NEXT_DAY : AT), 10), 1, "rows");
      const again = createPlan({ ...ANNA, body: { userName: "anna" } });
      expectEqual((await store.write(SCOPE, again)).kind, "exists", "the id in north");
      expectEqual((await store.write(SOUTH, again)).kind, "written", "the id in south");
    },
  },
  {
    rule: "tenant/connection-rules",
    name: "a rule of a connection is begun, held, filled and ended in its own tenant",
    run: async (open) => {
      const store = await open();
      const { rules } = store;
      if (rules === undefined) return;
      const rule = connectionRule(GROUP_NAME_UNIQUE, SCOPE);
      const other = connectionRule(GROUP_NAME_UNIQUE, SOUTH);
      await seedTenants(store);
      await rules.begin(rule, "one");
      expectEqual(await rules.state(other), null, "state in south");
      const model = modelOf("Group");
      const filled = await rules.fill(other, null, (body) =>
        ruledEntry(model, GROUP_NAME_UNIQUE, { connection: SOUTH.connection, body }),
      );
      expectEqual(filled.seen, 1, "groups of south");
      const twin = (id: string): WritePlan =>
        createPlan({ type: "Group", id, body: { displayName: "twin" } });
      for (const id of ["t1", "t2"]) await written(store, SOUTH, twin(id));
      await written(store, SCOPE, twin("t1"));
      await rules.begin(other, "one");
      expectEqual(await rules.state(other), { token: "one", complete: false }, "state in south, begun");
      await rules.end(other, "one");
      expectEqual(await rules.state(rule), { token: "one", complete: false }, "state in north");
      expectEqual((await store.write(SCOPE, twin("t2"))).kind, "duplicate", "a name that north has");
    },
  },
];
