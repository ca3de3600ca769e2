/**
 * Rules of the rows of a collection over all its owners: ordered by place, which a row keeps.
 * @module
 */
import type { ResourceStore, StoreScope } from "../../store/port.ts";
import type { ReferenceRow, ReferenceRowQuery } from "../../store/reference-rows.ts";
import { expectEqual } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  deletePlan,
  fetchOne,
  type NewResource,
  removing,
  SCOPE,
  seed,
  updatePlan,
} from "./sample.ts";

const ALL: ReferenceRowQuery = {
  type: "Group",
  path: "members",
  owner: null,
  value: null,
  displayKey: "displayName",
  descending: false,
  after: null,
  offset: 0,
  limit: 100,
};

const GROUPS: readonly NewResource[] = [
  { type: "Group", id: "g2", body: { displayName: "two" }, members: ["b", "a", "c"] },
  { type: "Group", id: "g1", body: { displayName: "one" }, members: ["c", "b"] },
  { type: "Group", id: "g3", body: { displayName: "three" } },
  { type: "Group", id: "g4", body: { displayName: "four" }, members: ["a"] },
  { type: "User", id: "a", body: { userName: "anna" } },
];

/** Pages of the rows of {@link GROUPS}, each row as its owner and what it refers to. */
const PAGES: readonly {
  readonly name: string;
  readonly query: Partial<ReferenceRowQuery>;
  readonly rows: readonly string[];
}[] = [
  { name: "all, by owner and place", query: {}, rows: ["g1 c", "g1 b", "g2 b", "g2 a", "g2 c", "g4 a"] },
  {
    name: "the last row first",
    query: { descending: true },
    rows: ["g4 a", "g2 c", "g2 a", "g2 b", "g1 b", "g1 c"],
  },
  { name: "those of one owner", query: { owner: "g2" }, rows: ["g2 b", "g2 a", "g2 c"] },
  { name: "those of an owner without any", query: { owner: "g3" }, rows: [] },
  { name: "those of an owner that does not exist", query: { owner: "G2" }, rows: [] },
  { name: "those that refer to one id", query: { value: "a" }, rows: ["g2 a", "g4 a"] },
  {
    name: "those that refer to one id, the last first",
    query: { value: "a", descending: true },
    rows: ["g4 a", "g2 a"],
  },
  { name: "ids are compared case-exactly", query: { value: "A" }, rows: [] },
  { name: "the one of an owner and an id", query: { owner: "g2", value: "c" }, rows: ["g2 c"] },
  { name: "none of an owner and an id", query: { owner: "g1", value: "a" }, rows: [] },
  { name: "so many", query: { limit: 3 }, rows: ["g1 c", "g1 b", "g2 b"] },
  { name: "so many behind so many", query: { offset: 2, limit: 2 }, rows: ["g2 b", "g2 a"] },
  {
    name: "so many behind so many behind a place",
    query: { after: { owner: "g1", position: 1 }, offset: 2, limit: 2 },
    rows: ["g2 a", "g2 c"],
  },
  {
    name: "so many behind so many before a place",
    query: { after: { owner: "g2", position: 2 }, offset: 2, limit: 2, descending: true },
    rows: ["g1 c"],
  },
  { name: "none where none is asked for", query: { limit: 0 }, rows: [] },
  { name: "none behind the last", query: { offset: 6 }, rows: [] },
  { name: "none of a type without the collection", query: { type: "User" }, rows: [] },
  { name: "none of a path that no collection has", query: { path: "owners" }, rows: [] },
];

async function labels(
  store: ResourceStore,
  query: Partial<ReferenceRowQuery>,
  scope: StoreScope = SCOPE,
): Promise<readonly string[]> {
  return (await store.referenceRows(scope, { ...ALL, ...query })).map(label);
}

function label({ owner, value }: ReferenceRow): string {
  return `${owner} ${value}`;
}

/** Walks page by page, each behind the last row of the one before. */
async function walk(
  store: ResourceStore,
  query: Partial<ReferenceRowQuery>,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<readonly string[]> {
  const seen: string[] = [];
  let after: ReferenceRow | null = null;
  for (let page = 1; ; page += 1) {
    const rows: readonly ReferenceRow[] = await store.referenceRows(SCOPE, { ...ALL, ...query, after });
    seen.push(...rows.map(label));
    const last = rows.at(-1);
    if (last === undefined) return seen;
    after = last;
    await between(page);
  }
}

async function change(store: ResourceStore, id: string, ...deltas: readonly ReturnType<typeof adding>[]) {
  const group = await fetchOne(store, { type: "Group", id });
  await store.write(SCOPE, updatePlan(group, { collections: deltas }));
}

export const REFERENCE_ROW_RULES: readonly ResourceStoreRule[] = [
  ...PAGES.map(({ name, query, rows }): ResourceStoreRule => ({
    rule: "reference-rows/page",
    name,
    run: async (open) => {
      const store = await open();
      await seed(store, GROUPS);
      expectEqual(await labels(store, query), rows, "rows");
    },
  })),
  ...PAGES.filter(({ query }) => query.limit === undefined && query.offset === undefined).map(
    ({ name, query, rows }): ResourceStoreRule => ({
      rule: "reference-rows/walk",
      name: `behind each row comes the next: ${name}; and they are counted`,
      run: async (open) => {
        const store = await open();
        await seed(store, GROUPS);
        for (const limit of [1, 2, 100]) expectEqual(await walk(store, { ...query, limit }), rows, "walk");
        expectEqual(await store.countReferenceRows(SCOPE, { ...ALL, ...query }), rows.length, "count");
      },
    }),
  ),
  {
    rule: "reference-rows/content",
    name: "a row has its sub-attributes as sent, and the name of its owner where one is asked for",
    run: async (open) => {
      const store = await open();
      const rest = { type: "User", display: "Änne" };
      await seed(store, [
        { type: "Group", id: "g1", body: { displayName: "one" }, members: [{ value: "a", rest }] },
        { type: "Group", id: "g2", body: { externalId: "x" }, members: ["a"] },
      ]);
      const [first, second] = await store.referenceRows(SCOPE, ALL);
      expectEqual(first, { owner: "g1", position: 1, display: "one", value: "a", rest }, "row");
      expectEqual(second?.display, null, "name of an owner without one");
      const [nameless] = await store.referenceRows(SCOPE, { ...ALL, displayKey: null });
      expectEqual(nameless?.display, null, "name not asked for");
    },
  },
  {
    rule: "reference-rows/stable",
    name: "a walk sees each row that stays once, whatever comes and goes, also where the row it stands on goes",
    run: async (open) => {
      const store = await open();
      const members = Array.from({ length: 30 }, (_, index) => `m${index}`);
      await seed(store, [
        { type: "Group", id: "g1", body: { displayName: "one" }, members },
        { type: "Group", id: "g2", body: { displayName: "two" }, members },
      ]);
      const seen = await walk(store, { limit: 4 }, async (page) => {
        // The last row of the first page goes, as do one behind it and one before it; another is added anew.
        if (page === 1) await change(store, "g1", removing("m3", "m7", "m0"), adding("m0", "new"));
        if (page === 9) await change(store, "g2", removing("m0", "m29"), adding("other"));
      });
      const gone = new Set(["g1 m0", "g1 m3", "g1 m7", "g2 m0", "g2 m29", "g1 new", "g2 other"]);
      const stayed = seen.filter((row) => !gone.has(row));
      const expected = ["g1", "g2"].flatMap((id) => members.map((member) => `${id} ${member}`));
      expectEqual(
        stayed,
        expected.filter((row) => !gone.has(row)),
        "rows that stay",
      );
    },
  },
  {
    rule: "reference-rows/place",
    name: "a row keeps its place when its sub-attributes change, and what is added has a greater one",
    run: async (open) => {
      const store = await open();
      await seed(store, [{ type: "Group", id: "g1", body: { displayName: "one" }, members: ["a", "b"] }]);
      const [before] = await store.referenceRows(SCOPE, ALL);
      await change(store, "g1", adding({ value: "a", rest: { display: "A" } }, "c"));
      const [same, second, third] = await store.referenceRows(SCOPE, ALL);
      expectEqual([same?.value, same?.position], [before?.value, before?.position], "place");
      expectEqual((third?.position ?? 0) > (second?.position ?? 0), true, "greater");
    },
  },
  {
    rule: "reference-rows/deleted",
    name: "rows of a deleted owner are neither found nor counted",
    run: async (open) => {
      const store = await open();
      await seed(store, GROUPS);
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "g2" })));
      const left = ["g1 c", "g1 b", "g4 a"];
      expectEqual(await labels(store, {}), left, "all");
      expectEqual(await labels(store, { owner: "g2" }), [], "of the owner");
      expectEqual(await labels(store, { value: "a" }), ["g4 a"], "of a value");
      expectEqual(await store.countReferenceRows(SCOPE, ALL), 3, "count");
      const inside = { owner: "g2", position: 1 };
      expectEqual(await labels(store, { after: inside }), ["g4 a"], "behind a place in it");
    },
  },
  {
    rule: "reference-rows/abort",
    name: "who went away is neither counted for nor looked up",
    run: async (open) => {
      const store = await open();
      await seed(store, GROUPS);
      const gone = { ...SCOPE, signal: AbortSignal.abort(new Error("gone")) };
      const refused = (work: Promise<unknown>): Promise<string> =>
        work.then(
          () => "answered",
          (error: unknown) => String(error),
        );
      expectEqual(await refused(store.countReferenceRows(gone, ALL)), "Error: gone", "count");
      expectEqual(await refused(labels(store, {}, gone)), "Error: gone", "a page");
    },
  },
  {
    rule: "reference-rows/tenant",
    name: "a tenant sees and counts no rows of another",
    run: async (open) => {
      const store = await open();
      const south = { tenant: "south", connection: "first" };
      await seed(store, GROUPS);
      await seed(store, [{ type: "Group", id: "g1", body: { displayName: "south" }, members: ["a"] }], south);
      expectEqual(await labels(store, {}, south), ["g1 a"], "all");
      expectEqual(await labels(store, { owner: "g2" }, south), [], "of an owner of another");
      expectEqual(await labels(store, { value: "b" }, south), [], "of a value of another");
      expectEqual(await store.countReferenceRows(south, ALL), 1, "count");
      expectEqual(await store.countReferenceRows(SCOPE, { ...ALL, value: "a" }), 2, "count of the other");
    },
  },
];
