/**
 * A primary that waits for a replica with each commit: nothing is acknowledged that the replica may not have.
 */
import { setTimeout as delay } from "node:timers/promises";
import { adding, createPlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { queryOnce, startPostgres } from "@scim/fixtures/postgres";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresAt } from "../support/engines.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" } } as const;
/** More than are written in one way there and back with the commit. */
const MANY = Array.from({ length: 100 }, (_, index) => `m${String(index)}`);

test("a commit that no replica confirms in time is 503, and not told as done; full service once one does", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { resources } = await openPostgresAt(server.url, {
    pending: "apply",
    poolSize: 3,
    statementTimeout: 4000,
  });
  await seed(resources, [ANNA, TEAM]);
  const anna = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
  const team = updatePlan(await fetchOne(resources, TEAM), { collections: [adding(...MANY)] });
  const bert = createPlan({ type: "User", id: "u2", body: { userName: "bert" } });
  const plans = [anna, team, bert];
  await waitForReplica(server.url, "nobody");

  const outcomes = await Promise.allSettled(plans.map((plan) => resources.write(SCOPE, plan)));
  const unconfirmed = {
    code: "unavailable",
    message: expect.stringMatching(/^The database did not confirm the write in time\. It may have been/),
  };
  expect(outcomes).toMatchObject(plans.map(() => ({ status: "rejected", reason: unconfirmed })));

  await waitForReplica(server.url, "");
  const carol = createPlan({ type: "User", id: "u3", body: { userName: "carol" } });
  expect((await resources.write(SCOPE, carol)).kind).toBe("written");
  const events = await queryOnce(
    server.url,
    "SELECT id FROM events WHERE kind <> 'created' OR id = 'u2' ORDER BY id",
  );
  expect(events.map(({ id }) => id)).toEqual(["g1", "u1", "u2"]);
});

/** Makes commits wait for a replica of a name, or for none, and resolves when they do. */
async function waitForReplica(url: string, name: string): Promise<void> {
  await queryOnce(url, `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await queryOnce(url, "SELECT pg_reload_conf()");
  await expect.poll(() => waits(url)).toBe(name !== "");
}

/** Whether a commit waits for a replica; it is let go. */
async function waits(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  // The server may be stopped while it waits.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const written = client.query("UPDATE migrations SET name = name WHERE number = 1").then(() => true);
    while (!(await Promise.race([written, delay(20, false)]))) {
      const cancelled = await queryOnce(
        url,
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'",
        [rows[0]?.pid],
      );
      if (cancelled.length > 0) return await written;
    }
    return false;
  } finally {
    await client.end();
  }
}
