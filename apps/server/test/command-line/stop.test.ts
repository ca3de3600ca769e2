import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { dropDatabase, newDatabase, queryOnce } from "@scim/fixtures/postgres";
import pg from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { STOP_SIGNALS, stoppable } from "../../src/stop-on-signals.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder, serve, type Served, start } from "./program.ts";

const BODY = JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "bjensen" });

/** A POST of which the server has the first half of the body. */
async function halfSent(server: Served, folder: string): Promise<ClientRequest> {
  const token = /^SCIM_TOKEN=(.*)$/m.exec(readFileSync(join(folder, "data/credentials"), "utf8"))?.[1] ?? "";
  const outgoing = request(`${server.origin}/scim/v2/Users`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-length": Buffer.byteLength(BODY) },
  });
  outgoing.write(BODY.slice(0, 20));
  await once(outgoing, "socket");
  // Another request on its own connection is answered only after the first has arrived.
  await exchange(server.origin, { method: "GET", path: "/healthz" });
  await delay(50);
  return outgoing;
}

async function answerOf(outgoing: ClientRequest): Promise<IncomingMessage> {
  const answered: Promise<IncomingMessage> = once(outgoing, "response").then(([incoming]) => incoming);
  outgoing.end(BODY.slice(20));
  const incoming = await answered;
  incoming.resume();
  return incoming;
}

/** Resolves once the server takes no more connections. */
async function closed(server: Served): Promise<void> {
  for (;;) {
    const answer = await exchange(server.origin, {
      method: "GET",
      path: "/healthz",
      headers: { connection: "close" },
    }).catch(() => null);
    if (answer === null) return;
    await delay(20);
  }
}

describe("a stop", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "on %s finishes what is under way, takes no more, and ends with 0",
    async (signal) => {
      const folder = newFolder();
      const server = await serve({ folder });
      const outgoing = await halfSent(server, folder);
      server.child.kill(signal);
      await closed(server);
      expect(server.child.exitCode).toBeNull();
      const { statusCode, headers } = await answerOf(outgoing);
      // Whoever keeps connections sends nothing more into one that is being closed.
      expect([statusCode, headers.connection]).toEqual([201, "close"]);
      expect(await server.ended).toBe(0);
      expect(server.stdout()).toContain('"msg":"stopped"');
    },
  );

  test("of a start that waits for its database ends at once, and nothing is begun", async () => {
    const url = await newDatabase(inject("postgresUrl"));
    onTestFinished(() => dropDatabase(url));
    const environment = { SCIM_DATABASE_URL: url, SCIM_SECRET_KEYS: SECRET_KEYS, SCIM_MIGRATIONS: "auto" };
    await (await startInProcess(environment)).stop();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN; LOCK TABLE migrations");
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    // A session whose client is gone waits on: the second is one more.
    for (const [before, workers] of ["1", "2"].entries()) {
      const { child, ended, stdout } = start(["serve", "--port", "0", "--workers", workers], {
        folder: newFolder(),
        environment,
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      await eventually(async () => expect((await queryOnce(url, waiting)).length).toBeGreaterThan(before));
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(stdout()).toContain('"msg":"stopped before the database was open"');
    }
  });

  test("the second signal ends at once", async () => {
    const folder = newFolder();
    const server = await serve({ folder });
    const outgoing = await halfSent(server, folder);
    const cut = once(outgoing, "error");
    server.child.kill("SIGTERM");
    await closed(server);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(1);
    await cut;
  });

  test("with no request under way ends with 0, however little time they would have", async () => {
    const server = await serve({ folder: newFolder() }, "--stop-timeout", "0");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("past its time limit ends with 1", async () => {
    const folder = newFolder();
    const server = await serve({ folder }, "--stop-timeout", "0");
    const outgoing = await halfSent(server, folder);
    const cut = once(outgoing, "error");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(1);
    await cut;
  });
});

test.each(STOP_SIGNALS)(
  "behind %s a long command ends at once, but for a terminal that is closed",
  async (first) => {
    const before = STOP_SIGNALS.map((signal) => process.listeners(signal));
    const own = (): readonly number[] =>
      STOP_SIGNALS.map(
        (signal, at) =>
          process.listeners(signal).filter((each) => before[at]?.includes(each) !== true).length,
      );
    const seen = await stoppable(async (signal) => {
      const at = STOP_SIGNALS.indexOf(first);
      const listening = own();
      for (const tell of process.listeners(first)) if (before[at]?.includes(tell) !== true) tell(first);
      return [signal.aborted, listening, own()];
    });
    // Who does not listen to SIGTERM and SIGINT is ended by them.
    expect([STOP_SIGNALS, ...seen, own()]).toEqual([
      ["SIGTERM", "SIGINT", "SIGHUP"],
      true,
      [1, 1, 1],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  },
);
