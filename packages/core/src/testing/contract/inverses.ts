/**
 * Rules of inverse collections: `User.groups` and its like, computed when read.
 * @module
 */
import type { InverseValue } from "../../store/stored-resource.ts";
import { expectEqual } from "./expect.ts";
import { modelOf } from "./models.ts";
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
  withGroups,
} from "./sample.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

function group(id: string, ...members: readonly string[]): NewResource {
  return { type: "Group", id, body: { displayName: `Group ${id}` }, members };
}

function value(id: string, direct: boolean): InverseValue {
  return { type: "Group", id, display: `Group ${id}`, direct };
}

/** Groups of which `u1` is in some, and its groups by depth, as `id` or `(id)` for an indirect one. */
const WALKS: readonly {
  readonly name: string;
  readonly groups: readonly NewResource[];
  readonly depth: number;
  readonly finds: string;
}[] = [
  {
    name: "direct groups alone",
    groups: [group("a", "u1"), group("b", "a"), group("c", "u2")],
    depth: 1,
    finds: "a",
  },
  {
    name: "nested groups",
    groups: [group("a", "u1"), group("b", "a"), group("c", "b")],
    depth: 16,
    finds: "a (b) (c)",
  },
  {
    name: "as deep as asked",
    groups: [group("a", "u1"), group("b", "a"), group("c", "b")],
    depth: 2,
    finds: "a (b)",
  },
  {
    name: "direct and nested is direct",
    groups: [group("a", "u1"), group("b", "a", "u1")],
    depth: 16,
    finds: "a b",
  },
  {
    name: "a cycle ends",
    groups: [group("a", "u1", "c"), group("b", "a"), group("c", "b")],
    depth: 16,
    finds: "a (b) (c)",
  },
  { name: "a group in itself", groups: [group("a", "u1", "a")], depth: 16, finds: "a" },
  {
    name: "two ways to one group",
    groups: [group("a", "u1"), group("b", "u1"), group("c", "a", "b")],
    depth: 16,
    finds: "a b (c)",
  },
];

export const INVERSE_RULES: readonly ResourceStoreRule[] = [
  ...WALKS.map(({ name, groups, depth, finds }): ResourceStoreRule => ({
    rule: "inverse/walk",
    name,
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, ...groups.toReversed()]);
      const found = (await fetchOne(store, ANNA, withGroups(depth))).inverses.get("groups") ?? [];
      expectEqual(found.map(({ id, direct }) => (direct ? id : `(${id})`)).join(" "), finds, "groups");
    },
  })),
  {
    rule: "inverse/values",
    name: "values carry type, id, name and whether they are direct, and follow every change of members",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, group("a"), group("b", "u1"), { ...group("c", "u1"), body: {} }]);
      const groups = async (): Promise<readonly InverseValue[] | undefined> =>
        (await fetchOne(store, ANNA, withGroups(1))).inverses.get("groups");
      expectEqual(await groups(), [value("b", true), { ...value("c", true), display: null }], "at first");
      const change = async (id: string, delta: ReturnType<typeof adding>): Promise<void> => {
        await store.write(
          SCOPE,
          updatePlan(await fetchOne(store, { type: "Group", id }), { collections: [delta] }),
        );
      };
      await change("a", adding("u1"));
      await change("c", removing("u1"));
      expectEqual(await groups(), [value("a", true), value("b", true)], "after changes");
      expectEqual((await fetchOne(store, ANNA)).inverses.size, 0, "not selected");
    },
  },
  {
    rule: "inverse/version",
    name: "a change of membership leaves the version of the member",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA]);
      const before = await fetchOne(store, ANNA);
      await seed(store, [group("a", "u1")]);
      expectEqual(await fetchOne(store, ANNA), before, "user");
    },
  },
  {
    rule: "inverse/deleted-between",
    name: "a deleted group is no step on the way to another",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, group("a", "u1"), group("b", "a"), group("c", "b")]);
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "b" })));
      expectEqual(
        (await fetchOne(store, ANNA, withGroups(16))).inverses.get("groups"),
        [value("a", true)],
        "groups",
      );
    },
  },
  {
    rule: "inverse/page",
    name: "each resource of a page has its own groups, also those without any",
    run: async (open) => {
      const store = await open();
      const ids = ["u1", "u2", "u3"];
      await seed(store, [
        ...ids.map((id): NewResource => ({ type: "User", id, body: { userName: id } })),
        group("a", "u1", "u3"),
        group("b", "u3"),
      ]);
      const users = await store.readMany(SCOPE, { type: "User", ids }, withGroups(1));
      const found = users.map(({ inverses }) => inverses.get("groups")?.map(({ id }) => id));
      expectEqual(found, [["a"], [], ["a", "b"]], "groups");
    },
  },
  {
    rule: "inverse/no-source",
    name: "an inverse that nothing feeds has no values",
    run: async (open) => {
      const store = await open();
      await seed(store, [ANNA, group("a", "u1")]);
      const [inverse] = modelOf("User").inverses;
      if (inverse === undefined) throw new TypeError("User has no inverse");
      const selection = { inverse: { ...inverse, sources: [] }, depth: 1 };
      const read = await store.read(SCOPE, ANNA, { collections: [], inverses: [selection] });
      expectEqual(read?.inverses.get("groups"), [], "groups");
    },
  },
];
