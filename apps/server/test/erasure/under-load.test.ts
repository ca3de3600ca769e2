import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientOf, ENTERPRISE, type Client, type Made } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { newToken, startServer, type RunningServer } from "../over-http/server.ts";
import { filesWith, MARK, tablesWith } from "./remains.ts";

/** They share no memory: workers of one server would be no other case. */
const PROCESSES = 2;

/** Milliseconds between two rounds of requests: erasures and other processes have their turns. */
const PAUSE_MS = 100;

/** Requests of persons and of others, one behind the other, until told to end. */
async function load(
  clients: readonly Client[],
  { persons, team, isOver }: Loaded,
  of: number,
): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    const client = clients[round % clients.length];
    const person = persons[(round + of) % persons.length];
    if (client === undefined || person === undefined) return;
    const name = { op: "replace", path: "name.familyName", value: `${MARK} ${of}-${round}` };
    const filter = encodeURIComponent(`userName eq "${MARK}-${round % persons.length}@example.com"`);
    const member = { value: person.id, display: `Anna ${MARK}` };
    const answers = await Promise.all([
      client.call("GET", person.path),
      client.patch(person.path, [name]),
      client.call("GET", `/Users?filter=${filter}`),
      client.call("GET", "/Users?count=20"),
      client.patch(team.path, [{ op: "add", path: "members", value: [member] }]),
      client.user({ userName: `other-${of}-${round}`, displayName: "Somebody else" }),
    ]);
    for (const answer of answers) if ("status" in answer) expect(answer.status).toBeLessThan(500);
    await delay(PAUSE_MS);
  }
}

interface Loaded {
  readonly persons: readonly Made[];
  readonly team: Made;
  readonly isOver: () => boolean;
}

describe.each(ENGINES)("erasures under load on $name", ({ name, make }) => {
  test("leave nothing of a person, whichever of several processes answers requests of it meanwhile", async () => {
    const database = await make();
    const admin = newToken("admin");
    const environment = { ...database.environment, SCIM_TOKEN: newToken(), SCIM_ADMIN_TOKEN: admin };
    const servers: RunningServer[] = [];
    while (servers.length < PROCESSES) {
      const server = await startServer(environment);
      onTestFinished(() => server.stop());
      servers.push(server);
    }
    const [first] = servers;
    if (first === undefined) throw new TypeError("No server runs");
    const clients = servers.map((server) => clientOf(server));
    const client = clientOf(first);
    const persons = await Promise.all(
      [0, 1, 2].map((at) =>
        client.user({
          userName: `${MARK}-${at}@example.com`,
          displayName: `Anna ${MARK}`,
          name: { familyName: MARK },
          emails: [{ value: `${MARK}-${at}@example.com` }],
          [ENTERPRISE]: { employeeNumber: `${MARK}-${at}` },
        }),
      ),
    );
    const team = await client.group({ displayName: "team" });
    const named = persons.map(({ id }) => `entry LIKE '%${id}%'`).join(" OR ");
    const logged = () => database.query(`SELECT id FROM request_log WHERE ${named}`);
    let over = false;
    const loads = [0, 1, 2, 3].map((of) => load(clients, { persons, team, isOver: () => over }, of));
    await expect.poll(async () => (await logged()).length).toBeGreaterThan(3);
    for (const { id } of persons) {
      const erased = await exchange(first.origin, {
        method: "DELETE",
        path: `/admin/v1/subjects/${id}?tenant=default`,
        headers: { authorization: `Bearer ${admin}` },
      });
      expect(erased.status, erased.text).toBe(200);
    }
    const path = database.environment["SCIM_DATABASE_URL"]?.replace(/^sqlite:/, "") ?? "";
    const expectNothing = async (): Promise<void> => {
      expect(await tablesWith(database, MARK)).toEqual([]);
      expect(name === "SQLite" ? filesWith(dirname(path), MARK) : []).toEqual([]);
      expect(await logged()).toEqual([]);
      for (const server of servers) expect(server.log().toLowerCase()).not.toContain(MARK);
    };
    await expectNothing();
    await delay(500);
    over = true;
    await Promise.all(loads);
    // What they hold in memory is written.
    await Promise.all(servers.map((server) => server.stop()));
    await expectNothing();
    expect(await database.query("SELECT run FROM request_runs WHERE skipped > 0")).not.toEqual([]);
  });
});
