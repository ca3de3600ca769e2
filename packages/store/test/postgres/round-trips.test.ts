import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  indexPage,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
  withGroups,
} from "@scim/core/testing";
import type { ResourceStore } from "@scim/core";
import { describe, expect, test } from "vitest";
import { emptyDatabase, openPostgresAt } from "../support/engines.ts";
import { wireProxy } from "../support/wire-proxy.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1"] } as const;

type Operation = (resources: ResourceStore) => Promise<() => Promise<unknown>>;

/** Operations, each prepared beforehand, with the round trips that it takes. */
const OPERATIONS: readonly (readonly [string, number, Operation])[] = [
  [
    "create",
    1,
    async (resources) => {
      const plan = createPlan({ type: "User", id: "u2", body: { userName: "bert", displayName: "B" } });
      return () => resources.write(SCOPE, plan);
    },
  ],
  [
    "update, with a new unique value",
    1,
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
      return () => resources.write(SCOPE, plan);
    },
  ],
  [
    "add a member",
    1,
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, TEAM), { collections: [adding("u2")] });
      return () => resources.write(SCOPE, plan);
    },
  ],
  // The beginning, four times some hundreds, the end.
  [
    "remove 2,000 members",
    6,
    async (resources) => {
      const remove = Array.from({ length: 2000 }, (_, index) => `u${String(index)}`);
      const plan = updatePlan(await fetchOne(resources, TEAM), {
        collections: [{ path: "members", remove, add: [] }],
      });
      return () => resources.write(SCOPE, plan);
    },
  ],
  [
    "delete",
    1,
    async (resources) => {
      const plan = deletePlan(await fetchOne(resources, ANNA));
      return () => resources.write(SCOPE, plan);
    },
  ],
  ["read by id", 1, async (resources) => () => resources.read(SCOPE, ANNA, NOTHING)],
  [
    "find by userName",
    1,
    async (resources) => () =>
      resources.query(SCOPE, {
        type: "User",
        filter: filterOf("User", 'userName eq "anna"'),
        sort: null,
        page: indexPage(0, 10),
        select: NOTHING,
      }),
  ],
  // The transaction ends behind the answer.
  [
    "find by userName, with groups",
    3,
    async (resources) => {
      const query = (): Promise<unknown> =>
        resources.query(SCOPE, {
          type: "User",
          filter: filterOf("User", 'userName eq "anna"'),
          sort: null,
          page: indexPage(0, 10),
          select: withGroups(1),
        });
      // It is learnt once that this is more than one statement.
      await query();
      return query;
    },
  ],
  // It is taken back, then the version is looked up.
  [
    "update of another version",
    2,
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
      return () => resources.write(SCOPE, { ...plan, expectedVersion: "9-other" });
    },
  ],
];

describe.each([
  ["unnamed statements", false],
  ["prepared statements", true],
])("with %s", (_name, preparedStatements) => {
  test.each(OPERATIONS)("%s takes %i round trips", async (_operation, wanted, prepare) => {
    const proxy = await wireProxy(await emptyDatabase());
    const { resources } = await openPostgresAt(proxy.url, { preparedStatements, poolSize: 1 });
    await seed(resources, [ANNA, TEAM]);
    const run = await prepare(resources);
    // One connection: what ends behind an answer has ended when this is answered, which takes one more.
    const settle = async (): Promise<unknown> => resources.read(SCOPE, ANNA, NOTHING);
    await settle();
    const before = proxy.roundTrips();
    await run();
    await settle();
    expect(proxy.roundTrips() - before - 1).toBe(wanted);
  });

  test("a statement that is sent many times at once is told once", async () => {
    const proxy = await wireProxy(await emptyDatabase());
    const { resources } = await openPostgresAt(proxy.url, { preparedStatements, poolSize: 1 });
    await seed(resources, [ANNA, TEAM]);
    const remove = Array.from({ length: 500 }, (_, index) => `u${String(index)}`);
    const delta = { path: "members", remove, add: [] };
    const plan = updatePlan(await fetchOne(resources, TEAM), { collections: [delta] });
    const before = proxy.texts();
    expect(await resources.write(SCOPE, plan)).toMatchObject({ kind: "written" });
    expect(await resources.references(SCOPE, { type: "Group", id: "g1", path: "members" }, "all")).toEqual(
      [],
    );
    expect(proxy.texts() - before).toBeLessThan(20);
  });
});
