import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { createPlan, fetchOne, NOTHING, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { queryOnce } from "@scim/fixtures/postgres";
import { ScimError } from "@scim/schemas";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { attemptWrite } from "../../src/postgres/attempt.ts";
import { withClient } from "../../src/postgres/migrate.ts";
import { SessionAge } from "../../src/postgres/session-age.ts";
import { SessionPool } from "../../src/postgres/session-pool.ts";
import { StatementNames } from "../../src/postgres/statement-names.ts";
import { sql } from "../../src/sql.ts";
import type { Outcome, Steps } from "../../src/steps.ts";
import { emptyDatabase, openPostgresAt } from "../support/engines.ts";
import { wireProxy } from "../support/wire-proxy.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;

/** More than one connection, all of which have been used. */
const POOL_SIZE = 3;

/** Sessions of a database that sleep. */
function sleepers(url: string): ReturnType<typeof queryOnce> {
  const query =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  return queryOnce(url, query);
}

test("connections that lead to a server which only reads give way to new ones, also while they are in use", async () => {
  const url = await emptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const writing = `${url}?options=${encodeURIComponent("-c default_transaction_read_only=off")}`;
  const reset = () => queryOnce(writing, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
  onTestFinished(async () => void (await reset()));
  // What is open keeps to what held when it was opened, as it does to a server that is primary no more.
  await queryOnce(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const { resources } = await openPostgresAt(url, { poolSize: POOL_SIZE });
  const reads = () =>
    Promise.all(Array.from({ length: POOL_SIZE }, () => resources.read(SCOPE, ANNA, NOTHING)));
  await reads();
  await reset();
  const write = async (): Promise<string> => {
    try {
      const [{ kind }] = await Promise.all([resources.write(SCOPE, createPlan(ANNA)), reads()]);
      return kind;
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      return error.message;
    }
  };
  expect(await write()).toBe("The database is read-only: nothing can be written now.");
  await expect.poll(write).toBe("written");
});

/** The sockets that are opened to an address from now on. */
function socketsTo(url: string): readonly Socket[] {
  const port = Number(new URL(url).port);
  const opened: Socket[] = [];
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once("connect", () => void (socket.remotePort === port && opened.push(socket)));
  };
  subscribe("net.client.socket", note);
  onTestFinished(() => void unsubscribe("net.client.socket", note));
  return opened;
}

test("connections on which nothing comes any more are given up together, the request is done on a new one, and none outlives the store", async () => {
  const url = await emptyDatabase();
  const proxy = await wireProxy(url);
  const sockets = socketsTo(proxy.url);
  const store = await openPostgresAt(proxy.url, {
    poolSize: POOL_SIZE,
    statementTimeout: 1000,
  });
  const { resources } = store;
  await seed(resources, [ANNA]);
  await Promise.all(Array.from({ length: POOL_SIZE }, () => resources.read(SCOPE, ANNA, NOTHING)));
  proxy.silence();
  expect(await resources.read(SCOPE, ANNA, NOTHING)).toMatchObject({ body: ANNA.body });
  const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
  expect(await resources.write(SCOPE, plan)).toMatchObject({ kind: "written" });
  proxy.silence();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await store.close();
  // No server says that they have ended.
  vi.advanceTimersByTime(2000);
  expect(sockets.length).toBeGreaterThan(POOL_SIZE);
  expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([]);
});

test("a connection of its own is given up where the server does not close it", async () => {
  const proxy = await wireProxy(await emptyDatabase());
  onTestFinished(() => void vi.useRealTimers());
  const done = withClient(proxy.url, async () => {
    proxy.silence();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return "done";
  });
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2000);
  expect(await done).toBe("done");
});

/** A pool of a single session, which is closed when the test ends. */
function poolOfOne(url: string): SessionPool {
  const pool = new SessionPool({
    url,
    size: 1,
    statementTimeout: 60_000,
    acquireTimeout: 10_000,
    names: new StatementNames(false),
    age: new SessionAge(),
  });
  onTestFinished(() => pool.close());
  return pool;
}

test("a cancellation that comes late does not hit who has the connection next", async () => {
  const url = await emptyDatabase();
  const proxy = await wireProxy(url);
  const pool = poolOfOne(proxy.url);
  const cancel = proxy.holdCancellations();
  const aborted = new AbortController();
  const first = await pool.acquire();
  const sleeping = first.connection.run([sql`SELECT pg_sleep(0.2)`], aborted.signal);
  aborted.abort();
  await Promise.allSettled([sleeping]);
  first.release();
  const second = await pool.acquire();
  const next = second.connection.run([sql`SELECT pg_sleep(2)`]);
  await expect.poll(() => sleepers(url)).toHaveLength(1);
  await cancel();
  const [outcome] = await Promise.allSettled([next]);
  second.release();
  expect(outcome.status).toBe("fulfilled");
});

test("a transaction whose connection is lost between two steps is ended by the server; nothing of that stays with the session", async () => {
  const pool = poolOfOne(await emptyDatabase());
  const { connection, release } = await pool.acquire();
  const asked = sql`SELECT current_setting('idle_in_transaction_session_timeout') AS bound`;
  function* steps(): Steps<Outcome<unknown>> {
    const { rows } = yield asked;
    return { keep: true, result: rows };
  }
  expect(await attemptWrite(connection, steps())).toMatchObject({ result: [{ bound: "1min" }] });
  const [after] = await connection.run([asked]);
  expect(after?.rows).toEqual([{ bound: "0" }]);
  release();
});

test("a session that the server ends because its transaction takes too long is told as unavailable", async () => {
  const url = await emptyDatabase();
  const limited = `${url}?options=${encodeURIComponent("-c transaction_timeout=200")}`;
  const { resources } = await openPostgresAt(limited);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; LOCK TABLE resources");
  await expect(resources.read(SCOPE, ANNA, NOTHING)).rejects.toMatchObject({
    code: "unavailable",
    status: 503,
    message: "The connection to the database was lost. Try again.",
  });
});
