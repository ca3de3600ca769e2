/**
 * Rules of reference collections: kept as rows, in the order of adding.
 * @module
 */
import type { ResourceStore } from "../../store/port.ts";
import type { ReferenceValue } from "../../store/stored-resource.ts";
import type { CollectionDelta } from "../../store/write-plan.ts";
import { expectEqual } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import { adding, fetchOne, MEMBERS, NOTHING, removing, SCOPE, seed, updatePlan } from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;

async function apply(store: ResourceStore, ...collections: readonly CollectionDelta[]): Promise<void> {
  const group = await fetchOne(store, GROUP);
  const result = await store.write(SCOPE, updatePlan(group, { collections }));
  expectEqual(result.kind, "written", "result");
}

async function values(store: ResourceStore): Promise<readonly string[]> {
  return (await store.references(SCOPE, OWNER, "all")).map(({ value }) => value);
}

/** Changes to a group of `a`, `b`, `c`, and what it holds then. */
const CHANGES: readonly {
  readonly name: string;
  readonly deltas: readonly CollectionDelta[];
  readonly holds: string;
}[] = [
  { name: "adding at the end", deltas: [adding("e", "d")], holds: "abced" },
  { name: "adding what is there keeps its place", deltas: [adding("a", "d")], holds: "abcd" },
  { name: "removing", deltas: [removing("b")], holds: "ac" },
  { name: "removing what is not there", deltas: [removing("x")], holds: "abc" },
  { name: "removing none", deltas: [removing()], holds: "abc" },
  { name: "removing all", deltas: [{ path: "members", remove: "all", add: [] }], holds: "" },
  { name: "removing comes before adding", deltas: [{ ...adding("a", "d"), remove: ["a"] }], holds: "bcad" },
  { name: "replacing all", deltas: [{ ...adding("c", "x", "a"), remove: "all" }], holds: "cxa" },
  { name: "several deltas in order", deltas: [removing("a"), adding("a"), removing("c")], holds: "ba" },
  { name: "adding twice the same", deltas: [adding("d", "e", "d")], holds: "abcde" },
  { name: "ids are compared case-exactly", deltas: [removing("A"), adding("B")], holds: "abcB" },
];

export const COLLECTION_RULES: readonly ResourceStoreRule[] = [
  ...CHANGES.map(({ name, deltas, holds }): ResourceStoreRule => ({
    rule: "collection/change",
    name,
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: ["a", "b", "c"] },
        { ...GROUP, id: "g2", members: ["a", "b"] },
      ]);
      await apply(store, ...deltas);
      expectEqual((await values(store)).join(""), holds, "members");
      const other = await store.references(SCOPE, { ...OWNER, id: "g2" }, "all");
      expectEqual(
        other.map(({ value }) => value),
        ["a", "b"],
        "members of another group",
      );
    },
  })),
  {
    rule: "collection/sub-attributes",
    name: "sub-attributes are kept as sent; adding again puts the new ones in the place of the old",
    run: async (open) => {
      const store = await open();
      const first: ReferenceValue = { value: "a", rest: { type: "User", display: "Äpfel" } };
      const second: ReferenceValue = { value: "a", rest: { display: "New" } };
      await seed(store, [{ ...GROUP, members: [first, "b"] }]);
      expectEqual(await store.references(SCOPE, OWNER, "all"), [first, { value: "b", rest: {} }], "as sent");
      await apply(store, adding(second));
      expectEqual(
        await store.references(SCOPE, OWNER, "all"),
        [second, { value: "b", rest: {} }],
        "replaced",
      );
    },
  },
  {
    rule: "collection/body-unchanged",
    name: "a change of members alone moves the version and leaves the body",
    run: async (open) => {
      const store = await open();
      await seed(store, [GROUP]);
      const before = await fetchOne(store, GROUP);
      await apply(store, adding("a"));
      const after = await fetchOne(store, GROUP);
      expectEqual(after, { ...before, version: after.version }, "group");
      expectEqual(after.version === before.version, false, "same version");
    },
  },
  {
    rule: "collection/with-body",
    name: "one plan changes a body and members, and a change of the body alone leaves the members",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: ["a", "b"] }]);
      const both = { body: { displayName: "two" }, collections: [{ ...adding("c"), remove: ["a"] }] };
      await store.write(SCOPE, updatePlan(await fetchOne(store, GROUP), both));
      expectEqual((await fetchOne(store, GROUP)).body, both.body, "body");
      expectEqual(await values(store), ["b", "c"], "members");
      const alone = { body: { displayName: "three" } };
      await store.write(SCOPE, updatePlan(await fetchOne(store, GROUP), alone));
      expectEqual((await fetchOne(store, GROUP)).body, alone.body, "body alone");
      expectEqual(await values(store), ["b", "c"], "members after that");
    },
  },
  {
    rule: "collection/of-whom",
    name: "values belong to the collection of one path of one resource of one type",
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: ["a"] },
        { type: "Badge", id: "g1", body: { label: "one" } },
      ]);
      expectEqual(await store.references(SCOPE, { ...OWNER, type: "Badge" }, "all"), [], "of another type");
      expectEqual(await store.references(SCOPE, { ...OWNER, path: "owners" }, "all"), [], "of another path");
      expectEqual(await store.references(SCOPE, { ...OWNER, id: "G1" }, "all"), [], "of another id");
      await apply(store, { ...adding("b"), path: "owners" });
      expectEqual(await values(store), ["a"], "members after a change of another path");
    },
  },
  {
    rule: "collection/select",
    name: "members are read where they are selected: all, those named, or the first so many",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ ...GROUP, members: ["c", "a", "b"] }]);
      const ids = async (selection: Parameters<ResourceStore["references"]>[2]): Promise<string> =>
        (await store.references(SCOPE, OWNER, selection)).map(({ value }) => value).join("");
      expectEqual(await ids("all"), "cab", "all");
      expectEqual(await ids(["b", "x", "c"]), "cb", "named, in the order of adding");
      expectEqual(await ids([]), "", "none named");
      expectEqual(await ids({ first: 2 }), "ca", "first two");
      expectEqual(await ids({ first: 9 }), "cab", "first of fewer");
      expectEqual((await fetchOne(store, GROUP, NOTHING)).collections.has("members"), false, "not selected");
      const [read] = await store.readMany(SCOPE, { type: "Group", ids: ["g1"] }, MEMBERS);
      expectEqual(
        read?.collections.get("members")?.map(({ value }) => value),
        ["c", "a", "b"],
        "selected",
      );
    },
  },
  {
    rule: "collection/many",
    name: "thousands of members keep their order through adding, removing and reading",
    run: async (open) => {
      const store = await open();
      const members = Array.from({ length: 3000 }, (_, index) => `m${index}`);
      await seed(store, [{ ...GROUP, members }]);
      expectEqual(await values(store), members, "added");
      const [gone, kept] = [members.slice(100, 2900), [...members.slice(0, 100), ...members.slice(2900)]];
      await apply(store, { ...removing(...gone), add: [{ value: "last", rest: {} }] });
      expectEqual(await values(store), [...kept, "last"], "removed");
      await apply(store, { path: "members", remove: "all", add: [] });
      expectEqual(await values(store), [], "emptied");
    },
  },
];
