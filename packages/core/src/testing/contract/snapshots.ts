/**
 * Long collections: a read leaves out what is too long, and a snapshot gives it in batches, of one state.
 * @module
 */
import type { ResourceStore } from "../../store/port.ts";
import type { RowPlace } from "../../store/reference-rows.ts";
import type { ResourceSnapshot } from "../../store/resource-snapshot.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  deletePlan,
  fetchOne,
  MEMBERS,
  NOTHING,
  removing,
  SCOPE,
  seed,
  updatePlan,
  withGroups,
} from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" } } as const;
const OWNER = { type: "Group", id: "g1", path: "members" } as const;
const MANY = Array.from({ length: 2345 }, (_, index) => `m${index}`);

async function opened<Result>(
  store: ResourceStore,
  run: (snapshot: ResourceSnapshot) => Promise<Result>,
): Promise<Result> {
  const snapshot = await store.snapshot(SCOPE);
  try {
    return await run(snapshot);
  } finally {
    await snapshot.close();
    await snapshot.close();
  }
}

async function streamed(snapshot: ResourceSnapshot, owner: typeof OWNER): Promise<readonly string[]> {
  const values: string[] = [];
  for await (const batch of snapshot.references(owner)) {
    if (batch.length === 0) throw new ContractViolation("a batch", "no values", "at least one");
    values.push(...batch.map(({ value }) => value));
  }
  return values;
}

/** Two rows behind a place, each as its owner and what it refers to. */
async function rowsBehind(snapshot: ResourceSnapshot, after: RowPlace | null): Promise<readonly string[]> {
  const rows = await snapshot.referenceRows({
    type: "Group",
    path: "members",
    owner: null,
    value: null,
    displayKey: null,
    descending: false,
    after,
    limit: 2,
  });
  return rows.map(({ owner, value }) => `${owner} ${value}`);
}

export const SNAPSHOT_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "snapshot/most",
    name: "a collection with more values than a read may have is missing in all its resources, never cut",
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: ["b", "a"] },
        { ...GROUP, id: "g2", members: ["d", "c"] },
      ]);
      const found = async (most: number, ...ids: string[]): Promise<readonly (readonly string[] | null)[]> =>
        (await store.readMany(SCOPE, { type: "Group", ids }, { ...MEMBERS, most })).map(
          ({ collections }) => collections.get("members")?.map(({ value }) => value) ?? null,
        );
      expectEqual(await found(2, "g1"), [["b", "a"]], "as many as may be");
      expectEqual(await found(1, "g1"), [null], "one too many");
      const both = [
        ["d", "c"],
        ["b", "a"],
      ];
      expectEqual(await found(4, "g2", "g1"), both, "as many as may be, over two resources");
      expectEqual(await found(3, "g2", "g1"), [null, null], "one too many, over two resources");
      const one = await store.read(SCOPE, GROUP, { ...MEMBERS, most: 1 });
      expectEqual(one?.collections.has("members"), false, "one resource");
      expectEqual(one?.body, GROUP.body, "the rest of it");
    },
  },
  {
    rule: "snapshot/batches",
    name: "a snapshot gives all values of a collection, in the order of adding",
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: MANY },
        { ...GROUP, id: "g2", members: ["x"] },
      ]);
      expectEqual(await opened(store, (snapshot) => streamed(snapshot, OWNER)), MANY, "all");
      const group = await fetchOne(store, GROUP);
      await store.write(SCOPE, updatePlan(group, { collections: [removing("m0", "m1500"), adding("last")] }));
      const next = [...MANY.filter((value) => value !== "m0" && value !== "m1500"), "last"];
      expectEqual(await opened(store, (snapshot) => streamed(snapshot, OWNER)), next, "after a change");
      const other = await store.snapshot({ ...SCOPE, tenant: "south" });
      expectEqual(await streamed(other, OWNER), [], "for another tenant");
      await other.close();
    },
  },
  {
    rule: "snapshot/rows",
    name: "a snapshot gives the rows of a collection over all owners, behind a place, as they were when it was opened",
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: ["b", "a"] },
        { ...GROUP, id: "g2", members: ["c"] },
      ]);
      const south = { ...SCOPE, tenant: "south" };
      await seed(store, [{ ...GROUP, members: ["x"] }], south);
      await opened(store, async (snapshot) => {
        expectEqual(await rowsBehind(snapshot, null), ["g1 b", "g1 a"], "the first rows");
        const group = await fetchOne(store, GROUP);
        await store.write(SCOPE, updatePlan(group, { collections: [removing("a"), adding("later")] }));
        await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "g2" })));
        expectEqual(await rowsBehind(snapshot, { owner: "g1", position: 1 }), ["g1 a", "g2 c"], "the next");
        expectEqual(await rowsBehind(snapshot, { owner: "g2", position: 1 }), [], "behind the last");
      });
      const now = await opened(store, (snapshot) => rowsBehind(snapshot, null));
      expectEqual(now, ["g1 b", "g1 later"], "in a later state");
    },
  },
  {
    rule: "snapshot/one-state",
    name: "a snapshot sees the resources as they were when it was opened, whatever is written meanwhile",
    run: async (open) => {
      const store = await open();
      await seed(store, [
        { ...GROUP, members: MANY },
        { type: "User", id: "m0", body: { userName: "m0" } },
      ]);
      const before = await fetchOne(store, GROUP);
      await opened(store, async (snapshot) => {
        const [first] = await snapshot.readMany({ type: "Group", ids: ["g1", "none"] }, NOTHING);
        expectEqual(first?.version, before.version, "version");
        const batches = snapshot.references(OWNER)[Symbol.asyncIterator]();
        const head = await batches.next();
        const change = { body: { displayName: "two" }, collections: [removing("m2000"), adding("last")] };
        await store.write(SCOPE, updatePlan(before, change));
        const values = head.done === true ? [] : [...head.value];
        for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
          values.push(...next.value);
        }
        expectEqual(
          values.map(({ value }) => value),
          MANY,
          "values",
        );
        await store.write(SCOPE, deletePlan(await fetchOne(store, GROUP)));
        const [again] = await snapshot.readMany({ type: "Group", ids: ["g1"] }, NOTHING);
        expectEqual(again?.body, GROUP.body, "body");
        const [member] = await snapshot.readMany({ type: "User", ids: ["m0"] }, withGroups(1));
        const groups = member?.inverses.get("groups")?.map(({ id }) => id);
        expectEqual(groups, ["g1"], "groups of a member");
      });
      expectEqual(await store.read(SCOPE, GROUP, NOTHING), null, "read after the delete");
    },
  },
];
