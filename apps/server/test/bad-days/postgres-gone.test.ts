import { setTimeout as delay } from "node:timers/promises";
import { newDatabase, startPostgres, type PostgresServer } from "@scim/fixtures/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Made } from "../over-http/client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

/** Sessions of the server, those for its own administrators included. */
const CONNECTIONS = 14;

let postgres: PostgresServer | null = null;

beforeAll(async () => {
  postgres = await startPostgres({ connections: CONNECTIONS });
});
afterAll(() => postgres?.stop());

function own(): PostgresServer {
  if (postgres === null) throw new TypeError("PostgreSQL does not run.");
  return postgres;
}

async function serveOn(
  server: PostgresServer,
  settings: Readonly<Record<string, string>> = {},
): Promise<InProcessServer> {
  const url = await newDatabase(server.url);
  return startInProcess({
    SCIM_DATABASE_URL: url,
    SCIM_SECRET_KEYS: SECRET_KEYS,
    SCIM_MIGRATIONS: "auto",
    SCIM_POSTGRES_POOL_SIZE: "3",
    ...settings,
  });
}

function rename(client: InProcessServer, user: Made, name: string): Promise<WireAnswer> {
  return client.patch(user.path, [{ op: "replace", path: "nickName", value: name }]);
}

/** A refusal that says when to come back. */
function expectLater(answer: WireAnswer): void {
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, expect.stringMatching(/^[0-9]+$/)]);
  expect(String(answer.body["detail"])).toMatch(/^[A-Z].*\.$/);
}

/** Asks again until the answer is another than 503. */
async function insist(call: () => Promise<WireAnswer>): Promise<WireAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 503) return answer;
    expectLater(answer);
    await delay(50);
  }
}

describe("PostgreSQL", () => {
  test("stopped: 503 with Retry-After while it lasts, full service afterwards", async () => {
    const client = await serveOn(own());
    const user = await client.user({ userName: "bjensen" });
    await own().halt();
    try {
      expectLater(await client.call("GET", user.path));
      expectLater(await rename(client, user, "lost"));
    } finally {
      await own().resume();
    }
    expect((await insist(() => client.call("GET", user.path))).status).toBe(200);
    expect((await rename(client, user, "kept")).status).toBe(200);
  });

  test("stopped: who has read the metrics reads on, and learns of it; nobody else does", async () => {
    const admin = newToken("admin");
    const { origin } = await serveOn(own(), { SCIM_METRICS: "admin", SCIM_ADMIN_TOKEN: admin });
    const scrape = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const { status, text } = await exchange(origin, { method: "GET", path: "/metrics", headers });
      return [status, /^scim_store_up .*$/m.exec(text)?.[0]];
    };
    expect(await scrape(admin)).toEqual([200, "scim_store_up 1"]);
    await own().halt();
    try {
      expect(await scrape(admin)).toEqual([200, "scim_store_up 0"]);
      expect(await scrape(newToken("admin"))).toEqual([503, undefined]);
    } finally {
      await own().resume();
    }
    await expect.poll(() => scrape(admin)).toEqual([200, "scim_store_up 1"]);
  });

  test.each([
    ["GET", "/.well-known/jwks.json", null],
    ["POST", "/events/default/a-stream/poll", "{}"],
  ])("stopped: %s %s is asked again later, and not taken for a mistake of the receiver", async (...asked) => {
    const [method, path, body] = asked;
    const { origin } = await serveOn(own());
    const headers = { authorization: "Bearer scim_events_a", "content-type": "application/json" };
    await own().halt();
    try {
      const answer = await exchange(origin, { method, path, headers, body });
      expect([answer.status, answer.headers["retry-after"]]).toEqual([
        503,
        expect.stringMatching(/^[0-9]+$/),
      ]);
      expect(answer.body).toMatchObject({
        err: "server_error",
        description: expect.stringMatching(/Try again\.$/),
      });
    } finally {
      await own().resume();
    }
  });

  test("restarted under load: no acknowledged change is lost, none is made twice", async () => {
    const client = await serveOn(own());
    const users = await Promise.all(
      Array.from({ length: 6 }, (_, at) => client.user({ userName: `user-${at}` })),
    );
    const load = { running: true };
    const writing = users.map(async (user) => {
      const kept: string[] = [];
      for (let at = 0; load.running; at += 1) {
        const mark = `mark-${at}`;
        const add = [{ op: "add", path: "emails", value: [{ value: mark }] }];
        const answer = await client.patch(user.path, add);
        if (answer.status === 200) kept.push(mark);
        else expectLater(answer);
        await delay(10);
      }
      return kept;
    });
    await delay(100);
    await own().restart();
    await Promise.all(users.map((user) => insist(() => rename(client, user, "back"))));
    load.running = false;
    const acknowledged = await Promise.all(writing);
    for (const [at, user] of users.entries()) {
      const { body } = await client.call("GET", user.path);
      // A User's emails are objects with a text value (RFC 7643 §4.1.2).
      const emails = (body["emails"] ?? []) as readonly { readonly value: string }[];
      const found = emails.map(({ value }) => value);
      expect(acknowledged[at]?.filter((mark) => !found.includes(mark))).toEqual([]);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  test("without a free session: 503 while others hold them all, full service afterwards", async () => {
    const client = await serveOn(own());
    const user = await client.user({ userName: "bjensen" });
    const others = await takeAll(own().url);
    try {
      expectLater(await client.call("GET", user.path));
      expectLater(await rename(client, user, "lost"));
    } finally {
      await Promise.all(others.map((each) => each.end()));
    }
    expect((await insist(() => rename(client, user, "kept"))).status).toBe(200);
  });
});

/** What sessions of the test itself are called. */
const OURS = "test";

/** Ends the sessions of the server under test. */
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name <> '${OURS}' AND datname LIKE 'scim%'`;

/** Opens every session that PostgreSQL has, and takes those of the server under test from it. */
async function takeAll(url: string): Promise<readonly pg.Client[]> {
  const first = await sessionOf(url);
  const taken = [first];
  while (taken.length < CONNECTIONS) {
    try {
      taken.push(await sessionOf(url));
    } catch {
      await first.query(CUT);
    }
  }
  return taken;
}

async function sessionOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: OURS });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
