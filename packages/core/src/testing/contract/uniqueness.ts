/**
 * Rules of unique values: decided by the store, on the state that a plan leads to.
 * @module
 */
import type { UniqueEntry } from "../../store/write-plan.ts";
import { expectEqual } from "./expect.ts";
import { indexPage } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "./sample.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const BERT = { type: "User", id: "u2", body: { userName: "bert" } } as const;

const TAKEN: UniqueEntry = { path: "userName", scope: "type:User", key: "anna" };

export const UNIQUENESS_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "uniqueness/create",
    name: "a second holder of a unique value is refused with the entry, and nothing is written",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const twin = { ...BERT, body: { userName: "ANNA" } };
      expectEqual(await store.write(SCOPE, createPlan(twin)), { kind: "duplicate", entry: TAKEN }, "result");
      expectEqual(await store.read(SCOPE, BERT, NOTHING), null, "the refused one");
      await seed(store, [BERT]);
    },
  },
  {
    rule: "uniqueness/update",
    name: "an update that takes another's value changes nothing: no body, index, members or version",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, { type: "Group", id: "g1", body: { displayName: "one" }, members: ["m1"] }]);
      const group = await fetchOne(store, { type: "Group", id: "g1" }, MEMBERS);
      const plan = updatePlan(group, { body: { displayName: "two" }, collections: [adding("m2")] });
      const refused = await store.write(SCOPE, { ...plan, unique: { remove: [], add: [TAKEN] } });
      expectEqual(refused, { kind: "duplicate", entry: TAKEN }, "result");
      expectEqual(await fetchOne(store, { type: "Group", id: "g1" }, MEMBERS), group, "group");
      const filter = filterOf("Group", 'displayName eq "two"');
      const answer = await store.query(SCOPE, {
        type: "Group",
        filter,
        sort: null,
        page: indexPage(0, 5),
        select: NOTHING,
      });
      if (answer.kind === "page") expectEqual(answer.total, 0, "found by the refused value");
    },
  },
  {
    rule: "uniqueness/own-value",
    name: "a resource keeps its own value, and may give it up and take it again in one plan",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const plan = updatePlan(await fetchOne(store, ANNA), { body: { userName: "Anna" } });
      const unique = { remove: [TAKEN], add: [TAKEN] };
      expectEqual((await store.write(SCOPE, { ...plan, unique })).kind, "written", "removed and added");
      const again = updatePlan(await fetchOne(store, ANNA), { body: { userName: "ANNA" } });
      expectEqual(
        (await store.write(SCOPE, { ...again, unique: { remove: [], add: [TAKEN] } })).kind,
        "written",
        "added only",
      );
      expectEqual(
        await store.write(SCOPE, createPlan({ ...BERT, body: ANNA.body })),
        { kind: "duplicate", entry: TAKEN },
        "others",
      );
    },
  },
  {
    rule: "uniqueness/moves",
    name: "a value that one resource gave up can be taken by another; two swap by way of a third value",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, BERT]);
      for (const [resource, userName] of [
        [ANNA, "third"],
        [BERT, "anna"],
        [ANNA, "bert"],
      ] as const) {
        const result = await store.write(
          SCOPE,
          updatePlan(await fetchOne(store, resource), { body: { userName } }),
        );
        expectEqual(result.kind, "written", `${resource.id} becomes ${userName}`);
      }
      expectEqual((await fetchOne(store, ANNA)).body, { userName: "bert" }, "first");
      expectEqual((await fetchOne(store, BERT)).body, { userName: "anna" }, "second");
    },
  },
  {
    rule: "uniqueness/swap-in-one-plan",
    name: "two unique values of one resource swap their places in one plan: removals come before additions",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const entry = (path: string, key: string): UniqueEntry => ({ path, scope: "type:User", key });
      const plan = updatePlan(await fetchOne(store, ANNA), { body: ANNA.body });
      const first = { remove: [], add: [entry("a", "1"), entry("b", "2")] };
      const swapped = { remove: [entry("a", "1"), entry("b", "2")], add: [entry("a", "2"), entry("b", "1")] };
      expectEqual((await store.write(SCOPE, { ...plan, unique: first })).kind, "written", "first");
      const next = updatePlan(await fetchOne(store, ANNA), { body: ANNA.body });
      expectEqual((await store.write(SCOPE, { ...next, unique: swapped })).kind, "written", "swapped");
      const other = createPlan({ type: "Badge", id: "b1", body: {} });
      const freed = { ...other, unique: [entry("a", "1"), entry("b", "2")] };
      expectEqual((await store.write(SCOPE, freed)).kind, "written", "what was given up");
    },
  },
  {
    rule: "uniqueness/scope",
    name: "a value is unique within its scope, path and key alone; the type of a key counts",
    run: async (open) => {
      const store = await open();
      const hold = async (id: string, entry: UniqueEntry): Promise<string> => {
        const plan = createPlan({ type: "Badge", id, body: {} });
        return (await store.write(SCOPE, { ...plan, unique: [entry] })).kind;
      };
      const entry: UniqueEntry = { path: "label", scope: "global", key: "1" };
      expectEqual(await hold("b1", entry), "written", "first");
      expectEqual(await hold("b2", { ...entry, scope: "type:Badge" }), "written", "another scope");
      expectEqual(await hold("b3", { ...entry, path: "code" }), "written", "another path");
      expectEqual(await hold("b4", { ...entry, key: 1 }), "written", "a number");
      expectEqual(await hold("b5", entry), "duplicate", "the same");
    },
  },
  {
    rule: "uniqueness/held-by-another",
    name: "a resource gives up none but its own values",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, BERT]);
      const plan = updatePlan(await fetchOne(store, BERT), { body: BERT.body });
      await store.write(SCOPE, { ...plan, unique: { remove: [TAKEN], add: [] } });
      const twin = createPlan({ ...ANNA, id: "u3" });
      expectEqual(await store.write(SCOPE, twin), { kind: "duplicate", entry: TAKEN }, "after an update");
      await store.write(SCOPE, deletePlan(await fetchOne(store, BERT)));
      expectEqual(await store.write(SCOPE, twin), { kind: "duplicate", entry: TAKEN }, "after a deletion");
    },
  },
  {
    rule: "uniqueness/freed-by-delete",
    name: "a deleted resource holds no unique value",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      await store.write(SCOPE, deletePlan(await fetchOne(store, ANNA)));
      await seed(store, [{ ...BERT, body: ANNA.body }]);
    },
  },
  {
    rule: "uniqueness/concurrent",
    name: "of many creates of one value at the same time exactly one is written",
    run: async (open) => {
      const store = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `u${index}`);
      const results = await Promise.all(
        ids.map(async (id) => store.write(SCOPE, createPlan({ ...ANNA, id }))),
      );
      expectEqual(results.filter(({ kind }) => kind === "written").length, 1, "written");
      expectEqual(results.filter(({ kind }) => kind === "duplicate").length, ids.length - 1, "refused");
      const stored = await store.readMany(SCOPE, { type: "User", ids }, NOTHING);
      expectEqual(stored.length, 1, "stored");
    },
  },
];
