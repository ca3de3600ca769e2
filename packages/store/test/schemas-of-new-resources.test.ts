import { setTimeout as delay } from "node:timers/promises";
import { type CreatePlan, referenceBatch } from "@scim/core";
import { createPlan, deletePlan, fetchOne, NOTHING, restorePlan, SCOPE } from "@scim/core/testing";
import { NO_TENANT_SETTINGS, type DocumentChange, type Tenant } from "@scim/tenancy";
import pg from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, ENGINES, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** A new user, planned by a revision of the schemas of its tenant. */
function planned(id: string, schemas: number): CreatePlan {
  return { ...createPlan({ type: "User", id, body: { userName: id } }), schemas };
}

const GONE = { type: "User", id: "gone" } as const;

async function withTenant(store: Pick<Store, "tenants">): Promise<Tenant> {
  const tenant: Tenant = {
    tenant: SCOPE.tenant,
    displayName: null,
    state: "active",
    ...NO_TENANT_SETTINGS,
    documents: 0,
    created: "2026-01-01T00:00:00.000Z",
    revision: 1,
  };
  await store.tenants.add(tenant);
  return tenant;
}

/** What breaks type User, as the next revision of its tenant's documents. */
function breaking(tenant: Tenant): DocumentChange {
  const next = { ...tenant, revision: tenant.revision + 1, documents: tenant.documents + 1 };
  return { tenant: next, before: tenant.revision, put: [], remove: [], broken: ["User"], acts: [] };
}

const many = (schemas: number) =>
  Array.from({ length: 20 }, (_, at) => planned(`many-${schemas}-${at}`, schemas));

describe.each(ENGINES)("a type that changes its meaning on %s", (_name, openEmpty) => {
  test("takes no resource that was planned before, however late it comes, one by one or many at once", async () => {
    const store = await openEmpty();
    const tenant = await withTenant(store);
    const stuck = planned("stuck", 0);
    expect(await store.documents.change(breaking(tenant))).toEqual({ kind: "written" });
    expect(await store.resources.write(SCOPE, stuck)).toEqual({ kind: "outdated" });
    expect(await store.resources.preview(SCOPE, stuck)).toEqual({ kind: "outdated" });
    const { imports } = store.resources;
    expect(await imports?.writeAll(SCOPE, many(0), null)).toEqual({ kind: "refused", result: null });
    expect(await imports?.writeAll(SCOPE, [stuck], null)).toMatchObject({ result: { kind: "outdated" } });
    // What knows the present schemas, or those of another type, goes on.
    const other: CreatePlan = { ...planned("other", 0), type: "Group" };
    const written = [planned("late", 1), other].map((plan) => store.resources.write(SCOPE, plan));
    expect((await Promise.all(written)).map(({ kind }) => kind)).toEqual(["written", "written"]);
    expect(await imports?.writeAll(SCOPE, many(1), null)).toEqual({ kind: "written" });
  });

  test("keeps its meaning while a deleted one can be restored, which comes back no more once the tenant is deleted", async () => {
    const store = await openEmpty();
    const { resources, documents, tenants } = store;
    const tenant = await withTenant(store);
    await resources.write(SCOPE, planned("gone", 0));
    await resources.write(SCOPE, deletePlan(await fetchOne(resources, GONE)));
    expect(await documents.change(breaking(tenant))).toEqual({ kind: "filled", type: "User" });
    const kept = await resources.deleted?.read(SCOPE, GONE);
    if (kept === null || kept === undefined) throw new TypeError("A deleted user was expected");
    const plan = { ...restorePlan(kept), schemas: 0 };
    expect(await resources.preview(SCOPE, plan)).toMatchObject({ kind: "written" });
    const deleted: Tenant = { ...tenant, state: "deleted", revision: tenant.revision + 1 };
    expect(await tenants.replace(deleted, tenant.revision)).toBe(true);
    expect(await resources.write(SCOPE, plan)).toEqual({ kind: "outdated" });
    expect(await resources.read(SCOPE, GONE, NOTHING)).toBe(null);
  });

  test("keeps its meaning where one is there, and changes nothing then", async () => {
    const store = await openEmpty();
    const tenant = await withTenant(store);
    await store.resources.write(SCOPE, planned("first", 0));
    expect(await store.documents.change(breaking(tenant))).toEqual({ kind: "filled", type: "User" });
    expect(await store.tenants.find(SCOPE.tenant)).toEqual(tenant);
    expect(await store.resources.write(SCOPE, planned("second", 0))).toMatchObject({ kind: "written" });
  });
});

test("on SQLite a tenant that is deleted between two writes of one transaction takes the first alone", async () => {
  const { resources, tenants } = await open(":memory:");
  const tenant = await withTenant({ tenants });
  const [first, , second] = await Promise.all([
    resources.write(SCOPE, planned("first", 0)),
    tenants.replace({ ...tenant, state: "deleted", revision: 2 }, tenant.revision),
    resources.write(SCOPE, planned("second", 0)),
  ]);
  expect([first.kind, second]).toEqual(["written", { kind: "outdated" }]);
});

test("on PostgreSQL the change of a type waits for the transaction that creates one of it", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const tenant = await withTenant(store);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  // A write of another process that hangs before its commit.
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body)
     VALUES ($1, 'User', 'stuck', 'default', 1, '1', '', '', '{}')`,
    [SCOPE.tenant],
  );
  await client.query(
    `INSERT INTO resource_counters (tenant, type, shard, n) VALUES ($1, 'User', 7, 1)
     ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + 1`,
    [SCOPE.tenant],
  );
  const change = store.documents.change(breaking(tenant));
  await expect.poll(() => waiting(client)).toBe(1);
  await client.query("COMMIT");
  expect(await change).toEqual({ kind: "filled", type: "User" });
});

test("on PostgreSQL the removal of a deleted tenant waits, for a time, for the transaction that creates a resource of it", async () => {
  const url = await emptyDatabase();
  const { tenants } = await openPostgresAt(url);
  const tenant = await withTenant({ tenants });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  // A write of another process that was allowed, and hangs in its commit.
  await client.query("BEGIN");
  await client.query(`INSERT INTO resource_counters (tenant, type, shard, n) VALUES ($1, 'User', 7, 1)`, [
    SCOPE.tenant,
  ]);
  expect(await tenants.replace({ ...tenant, state: "deleted", revision: 2 }, tenant.revision)).toBe(true);

  // Not without end: who asks is told to come back.
  const now = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + (ahead += 6000));
  onTestFinished(() => clock.mockRestore());
  await expect(tenants.removeRows(SCOPE.tenant, 100)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/still open on the database server.+Try again when it has ended\.$/),
    headers: { "retry-after": expect.stringMatching(/^\d+$/) },
  });
  clock.mockRestore();

  const removal = tenants.removeRows(SCOPE.tenant, 100);
  const first = await Promise.race([removal, delay(200, "waits")]);
  await client.query("COMMIT");
  expect([first, await removal, await tenants.removeRows(SCOPE.tenant, 100)]).toEqual(["waits", 1, 0]);
});

describe.each([
  ["SQLite", () => open(newFile())],
  ["PostgreSQL", async () => openPostgresAt(await emptyDatabase())],
])("a new resource whose values are staged, on %s", (_name, openStore) => {
  test("is stored by the schemas that hold, and not by those before", async () => {
    const store = await openStore();
    const tenant = await withTenant(store);
    const make = async (schemas: number): Promise<string> => {
      const stage = await store.resources.stage(SCOPE, "Group");
      onTestFinished(() => stage.close());
      await stage.add("members", referenceBatch([{ value: "u1", rest: {} }]));
      const plan: CreatePlan = {
        ...createPlan({ type: "Group", id: "staged", body: { displayName: "staged" } }),
        schemas,
        staged: { stage: stage.id, changes: [{ path: "members", removed: 0, added: 1 }] },
      };
      return (await store.resources.write(SCOPE, plan)).kind;
    };
    const change = { ...breaking(tenant), broken: ["Group"] };
    expect(await store.documents.change(change)).toEqual({ kind: "written" });
    expect(await make(0)).toBe("outdated");
    expect(await make(1)).toBe("written");
  });
});

/** How many sessions wait for a lock. */
async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

describe.each([
  [
    "SQLite",
    async () => {
      const path = newFile();
      return [await open(path), await open(path)] as const;
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      return [await openPostgresAt(url), await openPostgresAt(url)] as const;
    },
  ],
])("two processes on %s", (_name, openTwo) => {
  test("never leave a resource of a type that changed its meaning", async () => {
    const [here, there] = await openTwo();
    let tenant = await withTenant(here);
    // Milliseconds from the change to the first of the writes; at first they wait for its end.
    for (const [round, late] of [null, 20, 10, 5, 2, 1, 0, 0].entries()) {
      const known = tenant.documents;
      const changing = here.documents.change(breaking(tenant));
      if (late === null) expect(await changing).toEqual({ kind: "written" });
      const writes = Array.from({ length: 12 }, async (_, at) => {
        await delay((late ?? 0) + at / 2);
        return there.resources.write(SCOPE, planned(`${round}-${at}`, known));
      });
      const [outcome, ...results] = await Promise.all([changing, ...writes]);
      const stored = results.filter(({ kind }) => kind === "written").length;
      if (outcome.kind === "written") expect(stored).toBe(0);
      else expect([outcome.kind, stored]).toEqual(["filled", 12]);
      if (outcome.kind === "filled") return;
      tenant = (await here.tenants.find(SCOPE.tenant)) ?? tenant;
    }
  });
});
