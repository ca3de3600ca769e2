/**
 * Rules of single writes: what is stored, versions, and that a plan is applied whole or not at all.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { expectEqual, expectTrue } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { indexPage, matchingIds } from "./query-check.ts";
import {
  adding,
  AT,
  createPlan,
  deletePlan,
  fetchOne,
  MEMBERS,
  type NewResource,
  NOTHING,
  removing,
  SCOPE,
  seed,
  updatePlan,
} from "./sample.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna", active: true } } as const;

/** Later than {@link AT}. */
const LATER = "2026-03-02T09:30:00.125Z";

/** What a version may be made of: it stands between quotes in an entity tag, and `~` joins derived parts. */
const VERSION = /^[A-Za-z0-9_-]+$/;

export const WRITING_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "write/create",
    name: "a created resource is read back as it was planned",
    run: async (open) => {
      const store = await open();
      const body = {
        userName: "anna",
        nested: { deep: [1, 0.5, true, "ü\u0000😀"] },
        emails: [{ value: "a@b.c" }],
      };
      const result = await store.write(SCOPE, createPlan({ ...ANNA, body }));
      const stored = await fetchOne(store, ANNA);
      expectEqual(result, { kind: "written", version: stored.version }, "result");
      expectEqual(
        stored,
        { ...stored, type: "User", id: "u1", connection: "first", created: AT, lastModified: AT, body },
        "resource",
      );
      expectEqual([stored.collections.size, stored.inverses.size], [0, 0], "what was not selected");
    },
  },
  {
    rule: "write/names-from-clients",
    name: "member names such as __proto__ and constructor are kept as any other",
    run: async (open) => {
      const store = await open();
      // An object of JSON text.
      const text = '{"userName":"anna","__proto__":{"admin":true},"constructor":"x"}';
      await seed(store, [{ ...ANNA, body: JSON.parse(text) as JsonObject }]);
      const stored = await fetchOne(store, ANNA);
      expectEqual(JSON.stringify(stored.body), text, "body");
    },
  },
  {
    rule: "write/text",
    name: "a body that is read as text is the one that was written, without white space",
    run: async (open) => {
      const store = await open();
      const body = { userName: "anna", title: '"}, \\', emails: [{ value: "ü\u0000😀", primary: true }] };
      await seed(store, [{ ...ANNA, body }]);
      const { body: read, ...others } = await fetchOne(store, ANNA);
      const stored = { ...others, text: JSON.stringify(read) };
      expectEqual((await store.readText?.(SCOPE, ANNA, NOTHING)) ?? stored, stored, "resource");
      const nobody = { ...ANNA, id: "nobody" };
      expectEqual((await store.readText?.(SCOPE, nobody, NOTHING)) ?? null, null, "an unknown id");
    },
  },
  {
    rule: "write/create-existing",
    name: "an id is taken once per type, also by a deleted resource",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const again = { ...ANNA, body: { userName: "other" } };
      expectEqual(await store.write(SCOPE, createPlan(again)), { kind: "exists" }, "second create");
      expectEqual((await fetchOne(store, ANNA)).body, ANNA.body, "the first");
      await seed(store, [{ type: "Group", id: "u1", body: { displayName: "same id" } }]);
      await store.write(SCOPE, deletePlan(await fetchOne(store, ANNA)));
      expectEqual(await store.write(SCOPE, createPlan(again)), { kind: "exists" }, "create after delete");
    },
  },
  {
    rule: "write/kept-id",
    name: "an id that is kept is taken once over all types, also by a deleted resource",
    run: async (open) => {
      const store = await open();
      const twin: NewResource = { type: "Group", id: ANNA.id, body: { displayName: "same id" } };
      const plan = { ...createPlan(twin), keepsId: true };
      await seed(store, [ANNA]);
      expectEqual(await store.write(SCOPE, plan), { kind: "exists" }, "of a live resource");
      expectEqual(await store.preview(SCOPE, plan), { kind: "exists" }, "foreseen");
      await store.write(SCOPE, deletePlan(await fetchOne(store, ANNA)));
      if (store.deleted !== undefined)
        expectEqual(await store.write(SCOPE, plan), { kind: "exists" }, "of a deleted one");
      const other = await store.write({ ...SCOPE, tenant: "south" }, plan);
      expectEqual(other.kind, "written", "of another tenant");
      const free = { ...createPlan({ ...ANNA, id: "free" }), keepsId: true };
      expectEqual((await store.write(SCOPE, free)).kind, "written", "a free one");
      const again = { ...createPlan({ ...twin, id: "free" }), keepsId: true };
      expectEqual(await store.write(SCOPE, again), { kind: "exists" }, "the other way round");
    },
  },
  {
    rule: "write/update",
    name: "an update replaces the body, moves version and lastModified and keeps created and connection",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const before = await fetchOne(store, ANNA);
      const plan = updatePlan(before, { body: { userName: "anna", title: "Dr" }, at: LATER });
      const result = await store.write({ ...SCOPE, connection: "second" }, plan);
      const after = await fetchOne(store, ANNA);
      expectEqual(result, { kind: "written", version: after.version }, "result");
      expectTrue(after.version !== before.version, "the version has moved");
      expectEqual(
        after,
        { ...before, version: after.version, lastModified: LATER, body: plan.body },
        "resource",
      );
    },
  },
  {
    rule: "version/form",
    name: "a version is text of letters, digits, _ and -, and not a counter that repeats",
    run: async (open) => {
      const [one, two] = [await open(), await open()];
      await seed(one, [ANNA]);
      await seed(two, [ANNA]);
      const [left, right] = [await fetchOne(one, ANNA), await fetchOne(two, ANNA)];
      expectTrue(VERSION.test(left.version), `form of ${left.version}`);
      expectTrue(left.version !== right.version, "the first versions in two stores differ");
      const sent = new Set([left.version]);
      for (let round = 0; round < 40; round += 1) {
        await one.write(SCOPE, updatePlan(await fetchOne(one, ANNA), { body: { userName: "anna", round } }));
        const { version } = await fetchOne(one, ANNA);
        expectTrue(VERSION.test(version) && !sent.has(version), `version ${version} is new`);
        sent.add(version);
      }
    },
  },
  {
    rule: "version/checked-by-the-write",
    name: "a plan for another version than the current one changes nothing and tells the current one",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const first = await fetchOne(store, ANNA);
      await store.write(SCOPE, updatePlan(first, { body: { userName: "second" } }));
      const second = await fetchOne(store, ANNA);
      for (const stale of [
        updatePlan(first, { body: { userName: "third" } }),
        deletePlan(first),
        deletePlan({ ...first, version: "no such version" }),
        { ...updatePlan(second, { body: { userName: "third" } }), expectedVersion: "" },
      ]) {
        const result = await store.write(SCOPE, stale);
        expectEqual(result, { kind: "conflict", current: second.version }, "result");
      }
      expectEqual(await fetchOne(store, ANNA), second, "resource");
      const everyone = { type: "User", filter: null, sort: null, page: indexPage(0, 10) } as const;
      expectEqual((await matchingIds(store, everyone)).total, 1, "counted");
    },
  },
  {
    rule: "version/checked-for-members",
    name: "a change of members that was planned on another version than the current one changes nothing",
    run: async (open) => {
      const store = await open();
      const team = { type: "Group", id: "g1" } as const;
      await seed(store, [{ ...team, body: { displayName: "one" }, members: ["a", "b"] }]);
      const first = await fetchOne(store, team);
      await store.write(SCOPE, updatePlan(first, { collections: [adding("c")] }));
      const second = await fetchOne(store, team, MEMBERS);
      const body = { displayName: "two" };
      for (const change of [
        { collections: [adding("d")] },
        { collections: [removing("a")] },
        { collections: [{ path: "members", remove: "all", add: [] }] },
        { collections: [adding("d")], body },
        { collections: [removing("a")], body },
      ] as const) {
        const result = await store.write(SCOPE, updatePlan(first, change));
        expectEqual(result, { kind: "conflict", current: second.version }, "result");
        expectEqual(await fetchOne(store, team, MEMBERS), second, "group");
      }
    },
  },
  {
    rule: "version/of-what-is-gone",
    name: "a plan for a resource that does not exist or is deleted is a conflict without a current version",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const stored = await fetchOne(store, ANNA);
      await store.write(SCOPE, deletePlan(stored));
      const gone = { kind: "conflict", current: null };
      expectEqual(
        await store.write(SCOPE, updatePlan(stored, { body: {} })),
        gone,
        "update of a deleted one",
      );
      expectEqual(await store.write(SCOPE, deletePlan(stored)), gone, "second delete");
      expectEqual(await store.write(SCOPE, deletePlan({ ...stored, id: "nobody" })), gone, "unknown id");
    },
  },
  {
    rule: "read/many",
    name: "readMany answers the resources that exist, in the order of the ids",
    run: async (open) => {
      const store = await open();
      const ids = ["u3", "u1", "u2"];
      await seed(
        store,
        ids.map((id) => ({ type: "User", id, body: { userName: id } })),
      );
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "User", id: "u1" })));
      const asked = ["u2", "nobody", "u3", "u1"];
      const found = await store.readMany(SCOPE, { type: "User", ids: asked }, NOTHING);
      expectEqual(
        found.map(({ id }) => id),
        ["u2", "u3"],
        "ids",
      );
      expectEqual(await store.readMany(SCOPE, { type: "User", ids: [] }, NOTHING), [], "no ids");
      expectEqual(await store.readMany(SCOPE, { type: "Group", ids: asked }, NOTHING), [], "another type");
    },
  },
];
