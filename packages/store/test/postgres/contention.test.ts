import { queryOnce } from "@scim/fixtures/postgres";
import { createPlan, fetchOne, indexPage, NOTHING, SCOPE, seed, updatePlan } from "@scim/core/testing";
import type { ResourceStore } from "@scim/core";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { bareDatabase, emptyDatabase, openPostgresAt } from "../support/engines.ts";
import { migratePostgres, openPostgresStore } from "../../src/postgres/index.ts";

const FORBID = { text: "SELECT forbid()", params: [] };

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

async function total(resources: ResourceStore): Promise<unknown> {
  const page = indexPage(0, 0);
  return resources.query(SCOPE, { type: "User", filter: null, sort: null, page, select: NOTHING });
}

describe("writers of one tenant", () => {
  test("64 that create at once: none waits long for another, and the total is right", async () => {
    // One of its own: that of other tests goes on counting their deadlocks.
    const url = await bareDatabase();
    await migratePostgres({ url });
    const { resources } = await openPostgresAt(url, { poolSize: 64 });
    await Promise.all(
      Array.from({ length: 64 }, async (_, writer) => {
        for (let index = 0; index < 5; index += 1) {
          const id = `u${String(writer)}-${String(index)}`;
          const result = await resources.write(
            SCOPE,
            createPlan({ type: "User", id, body: { userName: id } }),
          );
          expect(result.kind).toBe("written");
        }
      }),
    );
    expect(await total(resources)).toMatchObject({ kind: "page", total: 320 });
    const [counted] = await queryOnce(
      url,
      `SELECT count(*)::integer AS shards, sum(n)::integer AS n,
        (SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
       FROM resource_counters`,
    );
    expect(counted).toMatchObject({ n: 320, deadlocks: 0 });
    expect(Number(counted?.["shards"])).toBeGreaterThan(16);
  });

  test("one that holds its transaction open holds up no writer of other resources", async () => {
    const url = await emptyDatabase();
    const { resources } = await openPostgresAt(url);
    await seed(resources, [ANNA]);
    const client = await clientOf(url);
    await client.query("BEGIN");
    await client.query("UPDATE resources SET revision = revision WHERE id = 'u1'");
    const plan = createPlan({ type: "User", id: "u2", body: { userName: "bert" } });
    expect((await resources.write(SCOPE, plan)).kind).toBe("written");
    await client.query("ROLLBACK");
  });
});

describe("what the server takes back because of others", () => {
  test("a deadlock is tried again", async () => {
    const url = await emptyDatabase();
    const { resources } = await openPostgresAt(url);
    await seed(resources, [ANNA]);
    const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
    const client = await clientOf(url);
    await client.query("BEGIN");
    // The server ends the one that has waited as long as this.
    await client.query("SET LOCAL deadlock_timeout = '60s'");
    await client.query(
      "INSERT INTO unique_values (tenant, scope, path, key, type, id) VALUES ($1, 'type:User', 'userName', $2, 'User', 'u9')",
      [SCOPE.tenant, Buffer.from("anne")],
    );
    const writing = resources.write(SCOPE, plan);
    await waitsForLock(client);
    // Now each waits for the other, until the write is taken back.
    await client.query("UPDATE resources SET revision = revision WHERE id = 'u1'");
    await client.query("ROLLBACK");
    expect((await writing).kind).toBe("written");
    const events = await queryOnce(url, "SELECT 1 AS n FROM events WHERE kind <> 'created'");
    expect(events).toHaveLength(1);
  });

  test.each([
    ["a serialisation failure", "40001"],
    ["a deadlock", "40P01"],
  ])("%s is tried again until the write is done, once", async (_name, state) => {
    const url = await refusingDatabase(state, 3);
    const { resources } = await openPostgresAt(url);
    expect((await resources.write(SCOPE, createPlan(ANNA))).kind).toBe("written");
    expect(await total(resources)).toMatchObject({ total: 1 });
    expect(await queryOnce(url, "SELECT 1 AS n FROM events")).toHaveLength(1);
    expect(await queryOnce(url, "SELECT last_value::integer AS n FROM attempts")).toEqual([{ n: 4 }]);
  });

  test("a write that is taken back each time is 503 with Retry-After in the end, and nothing is written", async () => {
    const url = await refusingDatabase("40001", 1_000_000);
    const { resources } = await openPostgresAt(url, { retryTimeout: 50 });
    await expect(resources.write(SCOPE, createPlan(ANNA))).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      headers: { "retry-after": "1" },
    });
    expect(await total(resources)).toMatchObject({ total: 0 });
    expect(await queryOnce(url, "SELECT 1 AS n FROM events")).toEqual([]);
  });

  test("a value that is taken meanwhile is a duplicate, and names the entry", async () => {
    const url = await emptyDatabase();
    const { resources } = await openPostgresAt(url);
    const plans = ["u1", "u2", "u3"].map((id) =>
      createPlan({ type: "User", id, body: { userName: "same", displayName: id } }),
    );
    const results = await Promise.all(plans.map(async (plan) => resources.write(SCOPE, plan)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["duplicate", "duplicate", "written"]);
    expect(results.find(({ kind }) => kind === "duplicate")).toMatchObject({ entry: { path: "userName" } });
    expect(await total(resources)).toMatchObject({ total: 1 });
  });
});

/** The address of a database that takes back so many transactions that write a resource, with the state that is given. */
async function refusingDatabase(state: string, times: number): Promise<string> {
  const url = await bareDatabase();
  await migratePostgres({ url });
  // What a sequence has counted stays, whatever becomes of the transaction.
  await queryOnce(
    url,
    `CREATE SEQUENCE attempts;
     CREATE FUNCTION take_back() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('attempts') <= ${String(times)} THEN
         RAISE EXCEPTION 'taken back' USING ERRCODE = '${state}';
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER take_back BEFORE INSERT ON resources FOR EACH ROW EXECUTE FUNCTION take_back()`,
  );
  return url;
}

/** Resolves when some session of the database waits for a lock. */
async function waitsForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

describe("what passes by itself", () => {
  test("a lock that is held too long is 503 with Retry-After, and nothing is written", async () => {
    const url = await emptyDatabase();
    const { resources } = await openPostgresAt(url, { statementTimeout: 200 });
    await seed(resources, [ANNA]);
    const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
    const client = await clientOf(url);
    await client.query("BEGIN");
    await client.query("UPDATE resources SET revision = revision WHERE id = 'u1'");
    await expect(resources.write(SCOPE, plan)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      message: expect.stringContaining("it took longer than it may (postgres.statementTimeout here"),
      headers: { "retry-after": "1" },
    });
    await client.query("ROLLBACK");
    expect((await resources.write(SCOPE, plan)).kind).toBe("written");
  });

  test("a limit of sessions is 503 while it is reached, and full service afterwards", async () => {
    const url = await bareDatabase();
    await migratePostgres({ url });
    const role = `limited_${new URL(url).pathname.slice(1)}`;
    await queryOnce(url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT 2`);
    await queryOnce(url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const limited = new URL(url);
    limited.username = role;
    limited.password = "secret";
    const store = await openPostgresStore({ url: limited.href, retryTimeout: 50, poolSize: 1 });
    await store.check();
    await queryOnce(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);
    const others = [await clientOf(limited.href), await clientOf(limited.href)];
    await expect(store.check()).rejects.toMatchObject({ code: "unavailable", status: 503 });
    const plan = createPlan(ANNA);
    await expect(store.resources.write(SCOPE, plan)).rejects.toMatchObject({ status: 503 });
    await Promise.all(others.map((client) => client.end()));
    expect((await store.resources.write(SCOPE, plan)).kind).toBe("written");

    // The one session that is left has to do for all who would have more.
    const crowded = await openPostgresStore({ url: limited.href, poolSize: 8 });
    await crowded.check();
    const reads = Array.from({ length: 30 }, () => crowded.resources.read(SCOPE, ANNA, NOTHING));
    expect(await Promise.all(reads)).toHaveLength(30);
    await crowded.close();
    await store.close();

    // Requests have all that there may be: one long read at a time has one of them.
    const busy = await openPostgresStore({ url: limited.href, poolSize: 2 });
    const readAll = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 30 }, () => busy.resources.read(SCOPE, ANNA, NOTHING)));
    await readAll();
    for (const turn of [1, 2]) {
      const long = await busy.resources.snapshot(SCOPE);
      expect(await long.readMany({ type: "User", ids: ["u1"] }, NOTHING), `${turn}`).toHaveLength(1);
      await expect(busy.resources.snapshot(SCOPE)).rejects.toMatchObject({ status: 503 });
      await readAll();
      await long.close();
    }
    await busy.close();
    await queryOnce(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("a role that lacks rights is 503 and told what to grant, and full service afterwards", async () => {
    const url = await bareDatabase();
    await migratePostgres({ url });
    const role = `reader_${new URL(url).pathname.slice(1)}`;
    await queryOnce(url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await queryOnce(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const reading = new URL(url);
    reading.username = role;
    reading.password = "secret";
    const store = await openPostgresStore({ url: reading.href });
    const plan = createPlan(ANNA);
    const refused = {
      status: 503,
      message: expect.stringContaining("grant its role SELECT, INSERT, UPDATE"),
    };
    for (const ask of [() => store.resources.write(SCOPE, plan), () => store.tryWrite(), () => store.check()])
      await expect(ask()).rejects.toMatchObject(refused);
    await queryOnce(url, `GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    await store.check();
    expect((await store.resources.write(SCOPE, plan)).kind).toBe("written");

    // What an application forbids in the same words is its own to answer.
    await queryOnce(
      url,
      `CREATE FUNCTION forbid() RETURNS integer LANGUAGE plpgsql AS $$
       BEGIN RAISE insufficient_privilege USING MESSAGE = 'no seat'; END $$`,
    );
    const forbidden = {
      ...createPlan({ ...ANNA, id: "u2", body: { userName: "bert" } }),
      statements: [FORBID],
    };
    await expect(store.resources.write(SCOPE, forbidden)).rejects.toMatchObject({ code: "42501" });
    await store.close();
    await queryOnce(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test("requests that find no connection in time are 503", async () => {
    const url = await emptyDatabase();
    const { resources } = await openPostgresAt(url, { poolSize: 1, acquireTimeout: 100, retryTimeout: 0 });
    await seed(resources, [ANNA]);
    const client = await clientOf(url);
    await client.query("BEGIN");
    await client.query("UPDATE resources SET revision = revision WHERE id = 'u1'");
    const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
    const writing = resources.write(SCOPE, plan);
    await waitsForLock(client);
    await expect(resources.read(SCOPE, ANNA, NOTHING)).rejects.toMatchObject({ status: 503 });
    await client.query("ROLLBACK");
    expect((await writing).kind).toBe("written");
    expect(await resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: { userName: "anne" } });
  });
});
