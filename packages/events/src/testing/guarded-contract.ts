/**
 * What every store tells guards of the resources that it holds.
 * @module
 */
import { createPlan, deletePlan, expectEqual, fetchOne, SCOPE, seed } from "@scim/core/testing";
import type { GuardRule } from "./sample-guards.ts";

const { tenant } = SCOPE;

const PEOPLE = ["anna", "bo", "cleo"].map(
  (id) => ({ type: "User", id, body: { userName: id, externalId: `x-${id}` } }) as const,
);
const TEAMS = [
  { type: "Group", id: "team", body: { displayName: "Team" }, members: ["anna", "bo", "cleo"] },
  { type: "Group", id: "pair", body: { displayName: "Pair" }, members: ["anna", "bo"] },
] as const;

/** Rules of what guards read of resources. */
export const GUARDED_RULES: readonly GuardRule[] = [
  {
    rule: "guard/population",
    name: "live resources of a type and a tenant are counted, of all connections",
    run: async (open) => {
      const { resources, guard } = await open();
      expectEqual(await guard.population(tenant, "User"), 0, "none");
      await seed(resources, [...PEOPLE, ...TEAMS]);
      await seed(resources, [{ type: "User", id: "dora", body: { userName: "dora" } }], {
        ...SCOPE,
        connection: "second",
      });
      await seed(resources, PEOPLE.slice(0, 1), { ...SCOPE, tenant: "south" });
      expectEqual(
        [await guard.population(tenant, "User"), await guard.population(tenant, "Group")],
        [4, 2],
        "live",
      );
      expectEqual(
        [await guard.population("south", "User"), await guard.population("south", "Group")],
        [1, 0],
        "elsewhere",
      );
      await resources.write(SCOPE, deletePlan(await fetchOne(resources, { type: "User", id: "bo" })));
      expectEqual(await guard.population(tenant, "User"), 3, "but for one that is deleted");
    },
  },
  {
    rule: "guard/values",
    name: "values of a collection are counted over all live resources of a type, and no further than is asked",
    run: async (open) => {
      const { resources, guard } = await open();
      await seed(resources, [...PEOPLE, ...TEAMS]);
      await seed(resources, [{ ...TEAMS[0], members: ["zoe"] }], { ...SCOPE, tenant: "south" });
      const values = (most: number, of: object = {}): Promise<number> =>
        guard.values(tenant, { type: "Group", path: "members", ...of }, most);
      expectEqual(
        [await values(9), await values(5), await values(4), await values(1)],
        [5, 5, 4, 1],
        "counted",
      );
      expectEqual(
        [await values(9, { type: "User" }), await values(9, { path: "owners" })],
        [0, 0],
        "of others",
      );
      expectEqual(await guard.values("south", { type: "Group", path: "members" }, 9), 1, "elsewhere");
      await resources.write(SCOPE, deletePlan(await fetchOne(resources, { type: "Group", id: "pair" })));
      expectEqual(await values(9), 3, "but for those of one that is deleted");
    },
  },
  {
    rule: "guard/references",
    name: "values of the collection of one resource are counted, all or some",
    run: async (open) => {
      const { resources, guard } = await open();
      await seed(resources, TEAMS);
      await seed(resources, [{ ...TEAMS[0], members: ["anna", "zoe", "yan", "xu"] }], {
        ...SCOPE,
        tenant: "south",
      });
      const team = { type: "Group", id: "team", path: "members" };
      const count = (of: object): Promise<number> => guard.references(tenant, { ...team, ...of });
      expectEqual(
        [await count({}), await count({ id: "pair" }), await count({ id: "other" })],
        [3, 2, 0],
        "all",
      );
      expectEqual([await count({ type: "User" }), await count({ path: "owners" })], [0, 0], "of others");
      const among = ["cleo", "zoe", "anna", "Bo"];
      expectEqual(
        [await count({ among }), await count({ among, id: "pair" }), await count({ among: [] })],
        [2, 1, 0],
        "some",
      );
      expectEqual(
        [await guard.references("south", team), await guard.references("south", { ...team, among })],
        [4, 2],
        "elsewhere",
      );
    },
  },
  {
    rule: "guard/holders",
    name: "who holds a unique value is found by it while it is live",
    run: async (open) => {
      const { resources, guard } = await open();
      await seed(resources, PEOPLE);
      await seed(resources, [{ type: "User", id: "south-bo", body: { userName: "bo" } }], {
        ...SCOPE,
        tenant: "south",
      });
      const entries = PEOPLE.flatMap((person) => createPlan(person).unique);
      const [{ path, scope }] = [entries[0] ?? { path: "", scope: "" }];
      const keys = entries.map(({ key }) => key);
      const lookup = { type: "User", path, unique: scope, keys };
      const holders = async (of: object = {}, whose: string = tenant): Promise<unknown> =>
        (await guard.holders(whose, { ...lookup, ...of }))
          .toSorted((one, other) => (one.id < other.id ? -1 : 1))
          .map(({ key, id }) => [keys.indexOf(key), id]);
      expectEqual(
        await holders(),
        [
          [0, "anna"],
          [1, "bo"],
          [2, "cleo"],
        ],
        "all",
      );
      expectEqual(await holders({ keys: keys.slice(1, 2) }), [[1, "bo"]], "one");
      expectEqual(
        [
          await holders({ type: "Group" }),
          await holders({ path: "title" }),
          await holders({ unique: "other" }),
        ],
        [[], [], []],
        "of others",
      );
      expectEqual(await holders({}, "south"), [[1, "south-bo"]], "elsewhere");
      await resources.write(SCOPE, deletePlan(await fetchOne(resources, { type: "User", id: "bo" })));
      expectEqual(
        await holders(),
        [
          [0, "anna"],
          [2, "cleo"],
        ],
        "but for who is deleted",
      );
    },
  },
];
