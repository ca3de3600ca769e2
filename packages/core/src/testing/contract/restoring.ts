/**
 * Rules of restorations: a deleted resource comes back as it was, once, with a version that nobody has seen, and not at all
 * where anything of it is gone. A store without `deleted` keeps nothing that they are about.
 * @module
 */
import type { KeptResource } from "../../store/deleted-resources.ts";
import type { ResourceStore } from "../../store/port.ts";
import type { ReferenceRowFilter } from "../../store/reference-rows.ts";
import type { WriteResult } from "../../store/write-plan.ts";
import { ContractViolation, expectEqual, expectTrue } from "./expect.ts";
import { rulesOfStoresWith, type ResourceStoreRule, type StoreWith } from "./rule.ts";
import {
  AT,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  MEMBERS,
  NOTHING,
  restorePlan,
  SCOPE,
  seed,
  updatePlan,
  withGroups,
} from "./sample.ts";
import { indexPage, matchingIds } from "./query-check.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna", displayName: "Anna" } } as const;
const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["u3", "u1", "u2"] } as const;
const SOUTH = { tenant: "south", connection: "second" };

/** After {@link AT}. */
const NOON = "2026-03-01T12:00:00.000Z";
const NEXT_DAY = "2026-03-02T08:00:00.000Z";

const restoring = rulesOfStoresWith("deleted", "restore");

async function remove(store: ResourceStore, target: typeof ANNA | typeof GROUP, at = AT): Promise<void> {
  const { kind } = await store.write(SCOPE, deletePlan(await fetchOne(store, target), at));
  expectEqual(kind, "written", "deleting");
}

async function kept(
  store: StoreWith<"deleted">,
  target: { readonly type: string; readonly id: string },
): Promise<KeptResource> {
  const resource = await store.deleted.read(SCOPE, target);
  if (resource === null) throw new ContractViolation(`reading deleted ${target.id}`, null, "a resource");
  return resource;
}

const MEMBERS_OF_GROUP: ReferenceRowFilter = { type: "Group", path: "members", owner: "g1", value: null };

async function ownValues(store: ResourceStore, filter: ReferenceRowFilter): Promise<readonly string[]> {
  const order = { displayKey: null, descending: false, after: null, offset: 0, limit: 10 };
  return (await store.referenceRows(SCOPE, { ...filter, ...order })).map(({ value }) => value);
}

async function found(store: ResourceStore, text: string | null): Promise<unknown> {
  const filter = text === null ? null : filterOf("User", text);
  return matchingIds(store, { type: "User", filter, sort: null, page: indexPage(0, 10) });
}

export const RESTORING_RULES: readonly ResourceStoreRule[] = [
  restoring("listed", "the last deleted come first, page by page, as far back as is asked", async (store) => {
    const ids = ["u1", "u2", "u3", "u4"] as const;
    await seed(
      store,
      ids.map((id) => ({ ...ANNA, id, body: { userName: id } })),
    );
    await seed(store, [GROUP], SOUTH);
    for (const [index, id] of ["u2", "u1", "u3"].entries()) {
      const target = await fetchOne(store, { type: "User", id });
      await store.write(SCOPE, deletePlan(target, index === 0 ? AT : NOON));
    }
    const all = await store.deleted.list(SCOPE, { since: AT, after: null, limit: 10 });
    expectEqual(
      all.map(({ id }) => id),
      ["u3", "u1", "u2"],
      "order",
    );
    const [first, ...others] = all;
    if (first === undefined) throw new ContractViolation("listed", all, "three");
    const { type, id, connection, created, deleted } = first;
    expectEqual(
      { type, id, connection, created, deleted },
      { type: "User", id: "u3", connection: "first", created: AT, deleted: NOON },
      "content",
    );
    expectTrue(!JSON.stringify(all).includes("userName"), "no values are listed");
    expectEqual(await store.deleted.list(SCOPE, { since: AT, after: first, limit: 10 }), others, "behind");
    expectEqual((await store.deleted.list(SCOPE, { since: NOON, after: first, limit: 1 })).length, 1, "page");
    expectEqual(
      (await store.deleted.list(SCOPE, { since: NOON, after: null, limit: 10 })).length,
      2,
      "since",
    );
    expectEqual(
      await store.deleted.list(SCOPE, { since: AT, type: "User", after: null, limit: 10 }),
      all,
      "type",
    );
    expectEqual(
      await store.deleted.list(SCOPE, { since: AT, type: "Group", after: null, limit: 10 }),
      [],
      "other type",
    );
    expectEqual(await store.deleted.list(SOUTH, { since: AT, after: null, limit: 10 }), [], "other tenant");
    expectEqual(await store.deleted.read(SOUTH, first), null, "reading from another tenant");
    expectEqual(await store.deleted.read(SCOPE, { type: "User", id: "u4" }), null, "reading a live one");
    expectEqual((await kept(store, first)).body, { userName: "u3" }, "body");
  }),
  restoring("as-it-was", "a restored resource is in every answer again, and counted", async (store) => {
    await seed(store, [ANNA, GROUP, { ...ANNA, id: "u5", body: { userName: "bert" } }]);
    const before = await fetchOne(store, ANNA);
    await remove(store, ANNA);
    const result = await store.write(SCOPE, restorePlan(await kept(store, ANNA), { at: NOON }));
    expectEqual(result.kind, "written", "restoring");
    const after = await fetchOne(store, ANNA, withGroups(1));
    const { version, lastModified, inverses, ...same } = after;
    const { version: _version, lastModified: _lastModified, inverses: _inverses, ...was } = before;
    expectEqual(same, was, "resource");
    expectEqual(lastModified, NOON, "last modified");
    expectEqual(result, { kind: "written", version }, "version");
    expectEqual(
      inverses.get("groups")?.map(({ id }) => id),
      ["g1"],
      "groups",
    );
    const one = { total: 1, ids: ["u1"], more: false };
    expectEqual(await found(store, null), { total: 2, ids: ["u1", "u5"], more: false }, "list");
    for (const text of ['userName eq "anna"', 'displayName eq "anna"', 'groups.value eq "g1"'])
      expectEqual(await found(store, text), one, text);
    expectEqual(await store.deleted.read(SCOPE, ANNA), null, "deleted");
    const taken = await store.write(SCOPE, createPlan({ ...ANNA, id: "u9" }));
    expectEqual(taken.kind, "duplicate", "its unique value is taken");
  }),
  restoring("members", "its own values come back in their order, and are told before", async (store) => {
    await seed(store, [ANNA, GROUP]);
    const before = await fetchOne(store, GROUP, MEMBERS);
    await remove(store, GROUP);
    const ofDeleted = { ...MEMBERS_OF_GROUP, ofDeleted: true };
    expectEqual(await ownValues(store, MEMBERS_OF_GROUP), [], "rows of live owners");
    expectEqual(await ownValues(store, ofDeleted), ["u3", "u1", "u2"], "rows of the deleted owner");
    expectEqual(await store.countReferenceRows(SCOPE, ofDeleted), 3, "count");
    await store.write(SCOPE, restorePlan(await kept(store, GROUP)));
    const after = await fetchOne(store, GROUP, MEMBERS);
    expectEqual(after.collections, before.collections, "members");
    expectEqual(await ownValues(store, ofDeleted), [], "rows of deleted owners");
    expectEqual((await fetchOne(store, ANNA, withGroups(1))).inverses.get("groups")?.length, 1, "groups");
  }),
  restoring("version", "no version repeats, and those from before fit no more", async (store) => {
    await seed(store, [ANNA]);
    const before = await fetchOne(store, ANNA);
    await remove(store, ANNA);
    const tombstone = await kept(store, ANNA);
    await store.write(SCOPE, restorePlan(tombstone));
    const after = await fetchOne(store, ANNA);
    expectEqual(new Set([before.version, tombstone.version, after.version]).size, 3, "versions");
    for (const version of [before.version, tombstone.version]) {
      const stale = updatePlan({ ...after, version }, { body: { userName: "stale" } });
      expectEqual(
        await store.write(SCOPE, stale),
        { kind: "conflict", current: after.version },
        "stale update",
      );
    }
    await remove(store, ANNA);
    expectEqual(
      await store.write(SCOPE, restorePlan(tombstone)),
      { kind: "conflict", current: null },
      "restoring what was deleted once more since",
    );
    const again = await store.write(SCOPE, restorePlan(await kept(store, ANNA)));
    expectEqual(again.kind, "written", "restoring once more");
  }),
  restoring(
    "uniqueness",
    "a value that was taken meanwhile is a duplicate, and nothing comes back",
    async (store) => {
      await seed(store, [ANNA]);
      await remove(store, ANNA);
      const other = { ...ANNA, id: "u2" };
      await seed(store, [other]);
      const plan = restorePlan(await kept(store, ANNA));
      expectEqual((await store.preview(SCOPE, plan)).kind, "duplicate", "preview");
      expectEqual((await store.write(SCOPE, plan)).kind, "duplicate", "restoring");
      expectEqual(await store.read(SCOPE, ANNA, NOTHING), null, "read");
      expectEqual(await found(store, null), { total: 1, ids: ["u2"], more: false }, "list");
      await store.write(SCOPE, deletePlan(await fetchOne(store, other)));
      expectEqual((await store.preview(SCOPE, plan)).kind, "written", "preview, free");
      expectEqual(await store.read(SCOPE, ANNA, NOTHING), null, "a preview restores nothing");
      expectEqual((await store.write(SCOPE, plan)).kind, "written", "restoring, free");
    },
  ),
  restoring(
    "once",
    "of restorations at once one is written, and of a creation with its value one of both",
    async (store) => {
      await seed(store, [ANNA]);
      await remove(store, ANNA);
      const tombstone = await kept(store, ANNA);
      const all = await Promise.all(
        Array.from({ length: 8 }, () => store.write(SCOPE, restorePlan(tombstone))),
      );
      expectEqual(kindsOf(all), ["conflict", "written"], "restorations");
      expectEqual(all.filter(({ kind }) => kind === "written").length, 1, "written");
      await remove(store, ANNA);
      const once = await kept(store, ANNA);
      const raced = await Promise.all([
        store.write(SCOPE, createPlan({ ...ANNA, id: "u2" })),
        store.write(SCOPE, restorePlan(once)),
        store.write(SCOPE, createPlan({ ...ANNA, id: "u3" })),
      ]);
      expectEqual(raced.filter(({ kind }) => kind === "written").length, 1, "of creations and a restoration");
      const one = await matchingIds(store, {
        type: "User",
        filter: null,
        sort: null,
        page: indexPage(0, 10),
      });
      expectEqual(one.total, 1, "counted");
    },
  ),
  restoring(
    "purged",
    "what a purge has begun to remove is kept no more, however long it would be",
    async (store) => {
      await seed(store, [ANNA, GROUP, { ...GROUP, id: "g2" }]);
      await remove(store, GROUP);
      const plan = restorePlan(await kept(store, GROUP));
      expectEqual(await store.purge(NEXT_DAY, 2), 2, "rows of the first batch");
      expectEqual(await store.deleted.read(SCOPE, GROUP), null, "read");
      expectEqual(await store.deleted.list(SCOPE, { since: "", after: null, limit: 10 }), [], "list");
      expectEqual(await store.write(SCOPE, plan), { kind: "conflict", current: null }, "restoring");
      // By now such are kept for longer: what was begun is ended all the same.
      expectEqual(await store.purge(AT, 10), 2, "rows of the second batch");
      expectEqual(await store.purge(NEXT_DAY, 10), 0, "rows that are left");
      expectEqual((await store.write(SCOPE, createPlan(GROUP))).kind, "written", "the id is free");
    },
  ),
  restoring(
    "purge-at-once",
    "a purge and a restoration at once leave all of it, or nothing",
    async (store) => {
      await seed(store, [ANNA, GROUP]);
      await remove(store, GROUP);
      const plan = restorePlan(await kept(store, GROUP));
      const [result] = await Promise.all([store.write(SCOPE, plan), store.purge(NEXT_DAY, 2)]);
      const live = await store.read(SCOPE, GROUP, MEMBERS);
      if (result.kind === "written") expectEqual(live?.collections.get("members")?.length, 3, "members");
      else expectEqual(live, null, "the resource");
    },
  ),
];

function kindsOf(results: readonly WriteResult[]): readonly string[] {
  return [...new Set(results.map(({ kind }) => kind))].toSorted();
}
