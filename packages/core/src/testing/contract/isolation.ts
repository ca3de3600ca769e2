/**
 * Rules of tenants, and of many writers at once.
 * @module
 */
import type { StoreScope } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { DeletePlan, UpdatePlan } from "../../store/write-plan.ts";
import { expectEqual, expectTrue } from "./expect.ts";
import { indexPage, matchingIds } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
  withGroups,
} from "./sample.ts";

const SOUTH: StoreScope = { tenant: "south", connection: "first" };
const ANNA = { type: "User", id: "u1", body: { userName: "anna", writes: 0 } } as const;
const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["u1"] } as const;

/** Plans of each kind that a version is compared for. */
const KINDS: readonly ((stored: StoredResource, name: string) => UpdatePlan | DeletePlan)[] = [
  (stored, name) => updatePlan(stored, { body: { displayName: name } }),
  (stored, name) => updatePlan(stored, { collections: [adding(name)] }),
  (stored) => deletePlan(stored),
];

export const ISOLATION_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "tenant/boundary",
    name: "a tenant sees, changes and counts nothing of another, whatever ids and values they share",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, GROUP]);
      const stored = await fetchOne(store, ANNA);
      const all = { filter: null, sort: null, page: indexPage(0, 10), select: NOTHING };
      expectEqual(await store.read(SOUTH, ANNA, NOTHING), null, "read");
      expectEqual(await store.readMany(SOUTH, { type: "User", ids: ["u1"] }, NOTHING), [], "readMany");
      expectEqual(
        await store.references(SOUTH, { type: "Group", id: "g1", path: "members" }, "all"),
        [],
        "references",
      );
      expectEqual(
        await store
          .query(SOUTH, { ...all, type: "User" })
          .then((answer) => answer.kind === "page" && answer.total),
        0,
        "query",
      );
      expectEqual(
        await store.write(SOUTH, deletePlan(stored)),
        { kind: "conflict", current: null },
        "delete",
      );
      await seed(store, [{ ...ANNA, body: { userName: "anna", title: "south" } }], SOUTH);
      expectEqual((await store.read(SOUTH, ANNA, withGroups(1)))?.inverses.get("groups"), [], "groups");
      expectEqual(await fetchOne(store, ANNA), stored, "the first tenant's");
    },
  },
  {
    rule: "tenant/connections",
    name: "connections of a tenant share its resources; the one that created a resource is recorded",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA], { ...SCOPE, connection: "second" });
      const anna = await fetchOne(store, ANNA);
      expectEqual(anna.connection, "second", "connection");
      const everyone = { type: "User", filter: null, sort: null, page: indexPage(0, 10) } as const;
      expectEqual((await matchingIds(store, everyone)).total, 1, "counted");
      const many = await store.readMany(SCOPE, { type: "User", ids: ["u1"] }, NOTHING);
      expectEqual(many, [anna], "readMany");
      const change = updatePlan(anna, { body: { userName: "anna", title: "Dr" } });
      expectEqual((await store.write(SCOPE, change)).kind, "written", "update");
      const changed = await fetchOne(store, ANNA);
      expectEqual((await store.write(SCOPE, deletePlan(changed))).kind, "written", "delete");
    },
  },
  {
    rule: "concurrency/one-wins",
    name: "of many writers on one version exactly one wins each round, and no write is lost",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const rounds = 25;
      for (let round = 1; round <= rounds; round += 1) {
        const current = await fetchOne(store, ANNA);
        const plans = Array.from({ length: 8 }, (_, writer) =>
          updatePlan(current, { body: { userName: "anna", writes: round, writer } }),
        );
        const results = await Promise.all(plans.map(async (plan) => store.write(SCOPE, plan)));
        const winners = plans.filter((_, index) => results[index]?.kind === "written");
        const [winner] = winners;
        expectEqual(winners.length, 1, `winners of round ${round}`);
        const after = await fetchOne(store, ANNA);
        expectEqual(after.body, winner?.body, "what is stored is the winner's");
        const told = results.flatMap((result) => (result.kind === "conflict" ? [result.current] : []));
        expectTrue(
          told.every((version) => version === after.version),
          "the others are told the winner's version",
        );
      }
    },
  },
  {
    rule: "concurrency/members",
    name: "writers that plan again after a conflict all get their member in, once each",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: [] }]);
      const values = Array.from({ length: 12 }, (_, index) => `m${index}`);
      const add = async (value: string): Promise<void> => {
        for (;;) {
          const group = await fetchOne(store, GROUP);
          const result = await store.write(SCOPE, updatePlan(group, { collections: [adding(value)] }));
          if (result.kind === "written") return;
        }
      };
      await Promise.all(values.map(add));
      const members = (await fetchOne(store, GROUP, MEMBERS)).collections.get("members") ?? [];
      expectEqual(members.map(({ value }) => value).toSorted(), values.toSorted(), "members");
    },
  },
  {
    rule: "concurrency/any-plan",
    name: "of two plans of any kind on one version, sent together, exactly one is written",
    run: async (open) => {
      const store = await open();
      const pairs = KINDS.flatMap((first) => KINDS.map((second) => [first, second] as const));
      for (const [n, [first, second]] of pairs.entries()) {
        const group = { ...GROUP, id: `g${String(n)}` };
        await seed(store, [group]);
        const before = await fetchOne(store, group);
        const plans = [first(before, "m1"), second(before, "m2")];
        const results = await Promise.all(plans.map(async (plan) => store.write(SCOPE, plan)));
        const [winner, ...others] = plans.filter((_, index) => results[index]?.kind === "written");
        expectEqual([winner === undefined, others.length], [false, 0], "written");
        const after = await store.read(SCOPE, group, MEMBERS);
        expectEqual(after === null, winner?.kind === "delete", "deleted");
        if (after === null || winner?.kind !== "update") continue;
        const added = winner.collections.flatMap(({ add }) => add.map(({ value }) => value));
        const members = after.collections.get("members")?.map(({ value }) => value);
        expectEqual([after.body, members], [winner.body ?? before.body, ["u1", ...added]], "the winner's");
      }
    },
  },
  {
    rule: "concurrency/create",
    name: "of many creations of one id exactly one is written, and the others are told that it exists",
    run: async (open) => {
      const store = await open();
      const plans = Array.from({ length: 8 }, (_, n) =>
        createPlan({ ...ANNA, body: { userName: `anna${String(n)}` } }),
      );
      const results = await Promise.all(plans.map(async (plan) => store.write(SCOPE, plan)));
      const winners = plans.filter((_, index) => results[index]?.kind === "written");
      expectEqual(winners.length, 1, "written");
      expectEqual(results.filter(({ kind }) => kind === "exists").length, plans.length - 1, "exists");
      expectEqual((await fetchOne(store, ANNA)).body, winners[0]?.body, "what is stored is the winner's");
    },
  },
  {
    rule: "concurrency/independent",
    name: "writes that fail take nothing from those that were sent with them",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const good = createPlan({ type: "User", id: "u2", body: { userName: "bert" } });
      const taken = createPlan({ type: "User", id: "u3", body: { userName: "anna" } });
      const stale = deletePlan({ type: "User", id: "u1", version: "stale" });
      const broken = {
        ...createPlan({ type: "User", id: "u4", body: { userName: "dora" } }),
        nonce: "not ~ a nonce",
      };
      const last = createPlan({ type: "User", id: "u5", body: { userName: "emil" } });
      const results = await Promise.allSettled(
        [good, taken, stale, broken, last].map(async (plan) => store.write(SCOPE, plan)),
      );
      const kinds = results.map((result) => (result.status === "fulfilled" ? result.value.kind : "error"));
      expectEqual(kinds, ["written", "duplicate", "conflict", "error", "written"], "results");
      const stored = await store.readMany(
        SCOPE,
        { type: "User", ids: ["u1", "u2", "u3", "u4", "u5"] },
        NOTHING,
      );
      expectEqual(
        stored.map(({ id }) => id),
        ["u1", "u2", "u5"],
        "stored",
      );
    },
  },
];
