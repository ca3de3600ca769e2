import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createExecutor } from "../../src/postgres/executor.ts";
import { SessionAge } from "../../src/postgres/session-age.ts";
import { SessionPool } from "../../src/postgres/session-pool.ts";
import { SnapshotPool } from "../../src/postgres/snapshot.ts";
import { StatementNames } from "../../src/postgres/statement-names.ts";
import { sql } from "../../src/sql.ts";
import { countOf, type Executor, type Steps } from "../../src/steps.ts";
import { emptyDatabase } from "../support/engines.ts";

const LIMITS = {
  statementTimeout: 60_000,
  acquireTimeout: 10_000,
  names: new StatementNames(false),
  age: new SessionAge(),
};

function executorOn(url: string): Executor {
  return partsOn(url).executor;
}

function partsOn(url: string): { readonly executor: Executor; readonly snapshots: SnapshotPool } {
  const pool = new SessionPool({ ...LIMITS, url, size: 2 });
  const snapshots = new SnapshotPool(new SessionPool({ ...LIMITS, url, size: 2 }), 2, pool);
  onTestFinished(async () => {
    // A test may have closed one itself.
    await Promise.allSettled([pool.close(), snapshots.close()]);
  });
  return { executor: createExecutor({ pool, snapshots, retryTimeout: 1000, freshEvents: null }), snapshots };
}

function* sleep(): Steps<void> {
  yield sql`SELECT pg_sleep(50)`;
}

function* tenants(): Steps<number> {
  return countOf(yield sql`SELECT count(*) AS n FROM tenants`, "n");
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("a long read that is aborted ends on the server, with the reason of the signal, and its place is free", async () => {
  const url = await emptyDatabase();
  const executor = executorOn(url);
  const client = await clientOf(url);
  const sleeping = async (): Promise<number> => {
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return rows.length;
  };
  const controller = new AbortController();
  const reader = await executor.openSnapshot(controller.signal);
  const reading = reader.run(sleep());
  while ((await sleeping()) === 0);
  controller.abort(new Error("the client went away"));
  await expect(reading).rejects.toThrow("the client went away");
  await expect(reader.run(tenants())).rejects.toThrow("the client went away");
  await reader.close();
  while ((await sleeping()) > 0);
  const others = [await executor.openSnapshot(), await executor.openSnapshot()];
  expect(await Promise.all(others.map((other) => other.run(tenants())))).toEqual([1, 1]);
  await Promise.all(others.map((other) => other.close()));
});

test("a long read sees one state, and no more of them are open than may be", async () => {
  const url = await emptyDatabase();
  const executor = executorOn(url);
  const client = await clientOf(url);
  const readers = [await executor.openSnapshot(), await executor.openSnapshot()];
  expect(await readers[0]?.run(tenants())).toBe(1);
  const { rows } = await client.query<{ readonly own: string }>(
    "INSERT INTO tenants (tenant, created) VALUES ('other', '') RETURNING CAST(pg_current_xact_id() AS text) AS own",
  );
  // No position of an event waits for it: what is committed is below the transactions that are under way.
  const isOver = async (): Promise<unknown> => {
    const query = "SELECT CAST($1 AS xid8) < pg_snapshot_xmin(pg_current_snapshot()) AS over";
    return (await client.query<{ readonly over: boolean }>(query, [rows[0]?.own])).rows[0]?.over;
  };
  await expect.poll(isOver).toBe(true);
  expect(await readers[0]?.run(tenants())).toBe(1);
  expect(await readers[1]?.run(tenants())).toBe(2);
  await expect(executor.openSnapshot()).rejects.toMatchObject({ code: "unavailable", status: 503 });
  await Promise.all(readers.map((reader) => reader.close()));
  await readers[0]?.close();
  const next = await executor.openSnapshot();
  expect(await next.run(tenants())).toBe(2);
  await next.close();
  await client.query("DELETE FROM tenants WHERE tenant = 'other'");
});

test("no long read goes on behind its end, nor behind that of the store", async () => {
  const { executor, snapshots } = partsOn(await emptyDatabase());
  const closed = await executor.openSnapshot();
  await closed.close();
  const next = await executor.openSnapshot();
  expect(await next.run(tenants())).toBe(1);
  await expect(closed.run(tenants())).rejects.toThrow("The state of the database is closed.");
  const reading = next.run(sleep());
  const opening = executor.openSnapshot();
  await Promise.all([expect(reading).rejects.toThrow("The store is closed."), snapshots.close()]);
  await expect(opening.then((late) => late.run(tenants()))).rejects.toThrow("The store is closed.");
  await expect(next.run(tenants())).rejects.toThrow("The store is closed.");
});
