/**
 * Rules of deletes: final for clients at once, a tombstone inside, purged in batches; references to what
 * is deleted stay.
 * @module
 */
import type { ResourceStore } from "../../store/port.ts";
import { expectEqual, expectTrue } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  AT,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
  withGroups,
} from "./sample.ts";
import { indexPage, matchingIds } from "./query-check.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna", displayName: "Anna" } } as const;
const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["u1", "u2", "u3"] } as const;

/** After {@link AT}. */
const NEXT_DAY = "2026-03-02T08:00:00.000Z";

async function remove(store: ResourceStore, target: typeof ANNA | typeof GROUP): Promise<void> {
  await store.write(SCOPE, deletePlan(await fetchOne(store, target)));
}

export const DELETING_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "delete/final",
    name: "a deleted resource is in no answer, by id, list, filter or count",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, { type: "User", id: "u2", body: { userName: "bert", displayName: "Anna" } }]);
      await remove(store, ANNA);
      expectEqual(await store.read(SCOPE, ANNA, NOTHING), null, "read");
      expectEqual((await store.readText?.(SCOPE, ANNA, NOTHING)) ?? null, null, "read as text");
      const again = createPlan({ ...ANNA, body: { userName: "again" } });
      expectEqual(
        await store.preview(SCOPE, again),
        { kind: "exists" },
        "preview of a creation under its id",
      );
      const everyone = { type: "User", sort: null, page: indexPage(0, 10) } as const;
      for (const text of [
        null,
        'displayName eq "anna"',
        'userName eq "anna" or userName eq "bert"',
        'meta.created le "2030-01-01T00:00:00Z"',
        'not (userName eq "x")',
      ]) {
        const filter = text === null ? null : filterOf("User", text);
        const answer = await matchingIds(store, { ...everyone, filter });
        expectEqual(answer, { total: 1, ids: ["u2"], more: false }, text ?? "no filter");
      }
    },
  },
  {
    rule: "delete/references-stay",
    name: "references to a deleted resource stay where they are",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, GROUP]);
      const before = await fetchOne(store, GROUP, MEMBERS);
      await remove(store, ANNA);
      await store.purge(NEXT_DAY, 100);
      expectEqual(await fetchOne(store, GROUP, MEMBERS), before, "group");
    },
  },
  {
    rule: "delete/owner-invisible",
    name: "a deleted group is in nobody's groups, nor found by its members",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, GROUP]);
      await remove(store, GROUP);
      expectEqual((await fetchOne(store, ANNA, withGroups(1))).inverses.get("groups"), [], "groups");
      expectEqual(
        await store.references(SCOPE, { type: "Group", id: "g1", path: "members" }, "all"),
        [],
        "references",
      );
      const everyone = { sort: null, page: indexPage(0, 10) } as const;
      const members = filterOf("Group", 'members.value eq "u1"');
      expectEqual(
        await matchingIds(store, { ...everyone, type: "Group", filter: members }),
        { total: 0, ids: [], more: false },
        "by member",
      );
      const groups = filterOf("User", 'groups.value eq "g1"');
      expectEqual(
        await matchingIds(store, { ...everyone, type: "User", filter: groups }),
        { total: 0, ids: [], more: false },
        "by group",
      );
    },
  },
  {
    rule: "delete/purge-in-batches",
    name: "purge removes tombstones with their rows, at most so many at a time, and nothing else",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, GROUP, { ...GROUP, id: "g2" }]);
      await remove(store, GROUP);
      await remove(store, ANNA);
      expectEqual(await store.purge(AT, 10), 0, "nothing is older than the deletes");
      const batches = [];
      for (let removed = -1; removed !== 0; batches.push(removed)) removed = await store.purge(NEXT_DAY, 2);
      expectTrue(
        batches.every((rows) => rows <= 2),
        `batches ${batches.join(", ")}`,
      );
      // Two tombstones and three members.
      expectEqual(
        batches.reduce((sum, rows) => sum + rows, 0),
        5,
        "rows",
      );
      const kept = await fetchOne(store, { type: "Group", id: "g2" }, MEMBERS);
      expectEqual(kept.collections.get("members")?.length, 3, "members of the other group");
      expectEqual(
        (await store.write(SCOPE, createPlan({ ...GROUP, members: [] }))).kind,
        "written",
        "a purged id is free",
      );
      expectEqual(
        (await fetchOne(store, GROUP, MEMBERS)).collections.get("members"),
        [],
        "members of the new one",
      );
    },
  },
];
