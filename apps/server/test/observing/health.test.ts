import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { dropDatabase, newDatabase, queryOnce } from "@scim/fixtures/postgres";
import pg from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";

/** What an address without a token answers. */
async function told(origin: string, path: string) {
  const { status, body, headers } = await exchange(origin, { method: "GET", path });
  expect(headers["cache-control"]).toBe("no-store");
  expect(headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
  return { status, body };
}

const HEALTHY = { status: 200, body: { status: "ok" } };

/** What happens to a file beneath a running server, and how it is mended. */
const DISTURBED: readonly (readonly [
  string,
  { readonly disturb: (path: string) => () => void; readonly reason: string },
])[] = [
  [
    "removed",
    {
      disturb: (path) => {
        renameSync(path, `${path}.gone`);
        return () => renameSync(`${path}.gone`, path);
      },
      reason: "The database file was removed",
    },
  ],
  [
    "damaged",
    {
      disturb: (path) => {
        const whole = readFileSync(path);
        writeFileSync(path, Buffer.alloc(whole.length, "damage"));
        return () => writeFileSync(path, whole);
      },
      reason: "damaged: restore a backup.",
    },
  ],
  [
    "locked",
    {
      disturb: (path) => {
        const other = new DatabaseSync(path);
        other.exec("BEGIN IMMEDIATE");
        return () => other.close();
      },
      reason: "The database is locked",
    },
  ],
];

describe("health", () => {
  test.each(ENGINES)(
    "on $name a server is ready, and is not where migrations are pending",
    async (engine) => {
      const database = await engine.make();
      const { origin } = await startInProcess(database.environment);
      expect(await told(origin, "/readyz")).toEqual(HEALTHY);
      // As an older backup that is restored beneath the running server would leave it.
      await database.query("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)");
      const reason = expect.stringMatching(/^The database lacks \d{4}-.*; run: scim migrate$/);
      const notReady = { status: 503, body: { status: "unavailable", reason } };
      await eventually(async () => expect(await told(origin, "/readyz")).toEqual(notReady));
      expect(await told(origin, "/healthz")).toEqual(HEALTHY);
    },
  );

  test.each(ENGINES)(
    "on $name a server is not ready whose database lacks a table, and names it",
    async (engine) => {
      const database = await engine.make();
      const { origin } = await startInProcess(database.environment);
      await database.query("ALTER TABLE migrations RENAME TO gone");
      const reason = expect.stringContaining("no table 'migrations'");
      const body = { status: "unavailable", reason };
      expect(await told(origin, "/readyz")).toEqual({ status: 503, body });
      expect(await told(origin, "/healthz")).toEqual(HEALTHY);
    },
  );

  test.each(DISTURBED)("a server is not ready whose file is %s", async (_name, { disturb, reason }) => {
    const [sqlite] = ENGINES;
    const environment = (await sqlite?.make())?.environment;
    const server = await startInProcess({ ...environment });
    await server.user({ userName: "anna" });
    const mend = disturb(String(environment?.["SCIM_DATABASE_URL"]).slice("sqlite:".length));
    const notReady = {
      status: 503,
      body: { status: "unavailable", reason: expect.stringContaining(reason) },
    };
    await eventually(async () => expect(await told(server.origin, "/readyz")).toEqual(notReady));
    expect(await told(server.origin, "/healthz")).toEqual(HEALTHY);
    mend();
    await eventually(async () => expect(await told(server.origin, "/readyz")).toEqual(HEALTHY));
  });

  test("a server is not ready while its database is away", async () => {
    const url = await newDatabase(inject("postgresUrl"));
    onTestFinished(() => dropDatabase(url));
    const environment = { SCIM_DATABASE_URL: url, SCIM_SECRET_KEYS: SECRET_KEYS, SCIM_MIGRATIONS: "auto" };
    const { origin } = await startInProcess(environment);
    const name = new URL(url).pathname.slice(1);
    // One after the other: of one transaction, a session that comes before its end would stay.
    const allow = async (allowed: boolean): Promise<void> => {
      const ask = (text: string) => queryOnce(inject("postgresUrl"), text);
      await ask(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
      await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    };
    await allow(false);
    const notReady = {
      status: 503,
      body: { status: "unavailable", reason: expect.stringContaining("no connection to the database") },
    };
    await eventually(async () => expect(await told(origin, "/readyz")).toEqual(notReady));
    await allow(true);
    await eventually(async () => expect(await told(origin, "/readyz")).toEqual(HEALTHY));
  });

  test("a server that is not ready says so in time, and why, where its database hangs", async () => {
    const url = await newDatabase(inject("postgresUrl"));
    onTestFinished(() => dropDatabase(url));
    const environment = { SCIM_DATABASE_URL: url, SCIM_SECRET_KEYS: SECRET_KEYS, SCIM_MIGRATIONS: "auto" };
    const { origin } = await startInProcess(environment);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    // What else asks for the table waits.
    await other.query("BEGIN; LOCK TABLE migrations");
    const body = { status: "unavailable", reason: "The database does not answer in time." };
    expect(await told(origin, "/readyz")).toEqual({ status: 503, body });
    await other.query("ROLLBACK");
    await eventually(async () => expect(await told(origin, "/readyz")).toEqual(HEALTHY));
  });

  test("a server is not ready once its database refused a write, until it takes one again", async () => {
    const url = await newDatabase(inject("postgresUrl"));
    onTestFinished(() => dropDatabase(url));
    const environment = { SCIM_DATABASE_URL: url, SCIM_SECRET_KEYS: SECRET_KEYS, SCIM_MIGRATIONS: "auto" };
    const server = await startInProcess(environment);
    const { path } = await server.user({ userName: "anna" });
    const rename = () => server.patch(path, [{ op: "replace", path: "nickName", value: randomUUID() }]);
    const alter = (change: string) =>
      queryOnce(
        url,
        `BEGIN READ WRITE; ALTER DATABASE ${new URL(url).pathname.slice(1)} ${change}; COMMIT;
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    // As providers set it where the disk is almost full; a replica answers alike.
    await alter("SET default_transaction_read_only = on");
    const reason = "The database is read-only: nothing can be written now.";
    // Sessions from before end a moment later.
    await eventually(async () =>
      expect(await rename()).toMatchObject({ status: 503, body: { detail: reason } }),
    );
    const notReady = { status: 503, body: { status: "unavailable", reason } };
    await eventually(async () => expect(await told(server.origin, "/readyz")).toEqual(notReady));
    await eventually(async () => expect((await server.call("GET", path)).status).toBe(200));
    expect(await told(server.origin, "/healthz")).toEqual(HEALTHY);
    await alter("RESET default_transaction_read_only");
    await eventually(async () => expect(await told(server.origin, "/readyz")).toEqual(HEALTHY));
    await eventually(async () => expect((await rename()).status).toBe(200));
  });

  test("a server that is told to stop says so, and goes on answering for stop.delay", async () => {
    const [sqlite] = ENGINES;
    const database = await sqlite?.make();
    const server = await startInProcess({ ...database?.environment, SCIM_STOP_DELAY: "1" });
    const stopped = server.stop();
    expect(await told(server.origin, "/readyz")).toEqual({ status: 503, body: { status: "stopping" } });
    expect(await told(server.origin, "/healthz")).toEqual(HEALTHY);
    expect((await server.call("GET", "/Users")).status).toBe(200);
    await stopped;
    await expect(told(server.origin, "/healthz")).rejects.toThrow("ECONNREFUSED");
  });
});
