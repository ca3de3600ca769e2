import { queryOnce } from "@scim/fixtures/postgres";
import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import type { ResourceStore, WritePlan } from "@scim/core";
import { describe, expect, test } from "vitest";
import { emptyDatabase, openPostgresAt } from "../support/engines.ts";
import { wireProxy, type Cut } from "../support/wire-proxy.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1"] } as const;

const LONG = Array.from({ length: 1500 }, (_, index) => `m${String(index)}`);

const PLANS: readonly (readonly [string, (resources: ResourceStore) => Promise<WritePlan>])[] = [
  ["create", async () => createPlan({ type: "User", id: "u2", body: { userName: "bert" } })],
  [
    "update",
    async (resources) => updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } }),
  ],
  [
    "addition of a member",
    async (resources) => updatePlan(await fetchOne(resources, TEAM), { collections: [adding("u2")] }),
  ],
  [
    "addition of many members",
    async (resources) => updatePlan(await fetchOne(resources, TEAM), { collections: [adding(...LONG)] }),
  ],
  ["delete", async (resources) => deletePlan(await fetchOne(resources, ANNA))],
];

const CUTS: readonly Cut[] = ["before the server", "before the answer"];

describe.each(CUTS)("a connection that breaks during the commit, %s hears of it", (cut) => {
  test.each(PLANS)("%s: the write is done once, and answered as done", async (_name, planOf) => {
    const url = await emptyDatabase();
    const proxy = await wireProxy(url);
    const { resources } = await openPostgresAt(proxy.url);
    await seed(resources, [ANNA, TEAM]);
    const plan = await planOf(resources);
    proxy.cutNext(cut);
    const result = await resources.write(SCOPE, plan);
    expect(proxy.cuts()).toBe(1);
    expect(result.kind).toBe("written");
    const version = result.kind === "written" ? result.version : "";
    const events = await queryOnce(url, "SELECT version FROM events WHERE id = $1", [plan.id]);
    expect(events.filter((event) => event["version"] === version)).toHaveLength(1);
    const rows = await queryOnce(url, "SELECT version FROM resources WHERE id = $1", [plan.id]);
    expect(rows).toEqual([{ version }]);
    const [counted] = await queryOnce(
      url,
      "SELECT (SELECT sum(n) FROM resource_counters) AS kept, (SELECT count(*) FROM resources WHERE deleted IS NULL) AS found",
    );
    expect(counted?.["kept"]).toBe(counted?.["found"]);
  });

  test("update: it is answered as it was done, also where another process writes on top of it", async () => {
    const url = await emptyDatabase();
    const proxy = await wireProxy(url);
    const { resources } = await openPostgresAt(proxy.url);
    const other = await openPostgresAt(url);
    await seed(resources, [ANNA]);
    const first = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
    proxy.cutNext(cut);
    const writing = resources.write(SCOPE, first);
    const kinds: string[] = [];
    while (kinds.at(-1) !== "written") {
      const plan = updatePlan(await fetchOne(other.resources, ANNA), { body: { userName: "annika" } });
      kinds.push((await other.resources.write(SCOPE, plan)).kind);
    }
    kinds.push((await writing).kind);
    const events = await queryOnce(url, "SELECT version FROM events WHERE kind <> 'created'");
    expect(events).toHaveLength(kinds.filter((kind) => kind === "written").length);
  });
});

test("a read whose connection is broken is read on another one", async () => {
  const url = await emptyDatabase();
  const named = `${url}?application_name=cut`;
  const { resources } = await openPostgresAt(named, { poolSize: 1 });
  await seed(resources, [ANNA]);
  const cut = await queryOnce(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'",
  );
  expect(cut).toHaveLength(1);
  expect(await resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: ANNA.body });
});

test("a session that the server shuts with the bytes that open it ends no process; the read is done on another", async () => {
  const url = await emptyDatabase();
  const proxy = await wireProxy(url);
  const first = await openPostgresAt(url);
  await seed(first.resources, [ANNA]);
  const { resources } = await openPostgresAt(proxy.url, { poolSize: 2 });
  proxy.shutNextOpened();
  expect(await Promise.all([0, 1].map(() => resources.read(SCOPE, ANNA, NOTHING)))).toMatchObject([
    { body: ANNA.body },
    { body: ANNA.body },
  ]);
  expect(proxy.cuts()).toBe(1);
});
