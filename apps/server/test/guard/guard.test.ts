import type { JsonObject } from "@scim/schemas";
import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Client, clientOf, PATCH_OP, USER } from "../over-http/client.ts";
import { printed } from "../command-line/printed.ts";
import { schemaDocument, writeDocuments } from "../over-http/documents.ts";
import { ENGINES, SQLITE, type Engine, type TestDatabase } from "../over-http/engines.ts";
import { textMember } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN } from "../requests/admin.ts";

/** Environment of a guard that lets five changes pass. */
const GUARDED = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_GUARD_AT_LEAST: "5", SCIM_GUARD_PERCENT: "10" };
const HOLD = { ...GUARDED, SCIM_GUARD_MODE: "hold" };

const DEACTIVATE = [{ op: "Replace", path: "active", value: "False" }];

const BADGE_URN = "urn:example:params:scim:schemas:custom:2.0:Badge";

/** A type whose unique name has a letter case that counts. */
const BADGE = [
  schemaDocument({
    id: BADGE_URN,
    name: "Badge",
    description: "A badge.",
    attributes: [{ name: "serial", type: "string", required: true, caseExact: true, uniqueness: "server" }],
  }),
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: "Badge",
    name: "Badge",
    endpoint: "/Badges",
    description: "Badges.",
    schema: BADGE_URN,
  },
];

const SQUAD_URN = "urn:example:params:scim:schemas:custom:2.0:Squad";

/** A type that is switched off as Users are, and holds references as Groups do. */
const SQUAD = [
  schemaDocument({
    id: SQUAD_URN,
    name: "Squad",
    description: "A squad.",
    attributes: [
      { name: "active", type: "boolean" },
      {
        name: "members",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "$ref", type: "reference", referenceTypes: ["User"] },
        ],
      },
    ],
  }),
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: "Squad",
    name: "Squad",
    endpoint: "/Squads",
    description: "Squads.",
    schema: SQUAD_URN,
  },
];

interface Guarded {
  readonly database: TestDatabase;
  readonly server: InProcessServer;
  /** Paths of so many users. */
  readonly paths: readonly string[];
  /** What the server logged as a warning or worse. */
  readonly warnings: () => readonly JsonObject[];
}

async function guarded(
  engine: Engine,
  settings: Readonly<Record<string, string>>,
  users: number,
): Promise<Guarded> {
  const database = await engine.make();
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const server = await startInProcess({ ...database.environment, ...settings }, log);
  const paths: string[] = [];
  for (let n = 0; n < users; n += 1) paths.push((await server.user({ userName: `u${n}@corp.example` })).path);
  return { database, server, paths, warnings: () => lines.map((line) => JSON.parse(line) as JsonObject) };
}

async function held(server: InProcessServer): Promise<readonly JsonObject[]> {
  // The admin API answers a list of objects.
  return (await admin(server, "/guard?limit=1000")).body["held"] as readonly JsonObject[];
}

function countOf(statuses: readonly number[], status: number): number {
  return statuses.filter((each) => each === status).length;
}

describe.each(ENGINES)("the guard on $name", (engine) => {
  test("two processes together let no more pass than one, and hold the rest until an admin releases it", async () => {
    const { database, server, paths } = await guarded(engine, HOLD, 20);
    const other = await startInProcess({ ...database.environment, ...HOLD });
    const answers = await Promise.all(
      paths.map((path, at) => (at % 2 === 0 ? server : other).patch(path, DEACTIVATE)),
    );
    expect(
      countOf(
        answers.map(({ status }) => status),
        200,
      ),
    ).toBe(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.headers["retry-after"]).toBe("300");

    // What was refused beside others is held when it comes again, and so is all else of its kind.
    const again = await Promise.all(paths.map((path) => server.patch(path, DEACTIVATE)));
    expect(
      countOf(
        again.map(({ status }) => status),
        429,
      ),
    ).toBe(15);
    const list = await held(server);
    expect(list).toHaveLength(15);
    expect(list[0]).toMatchObject({
      connection: "default",
      measure: "deactivations",
      type: "User",
      changes: [{ path: "active", after: { value: false } }],
      released: null,
    });
    expect(JSON.stringify(list)).not.toContain("corp.example");
    const active = await server.call("GET", `/Users?filter=${encodeURIComponent("active eq false")}`);
    expect(active.body["totalResults"]).toBe(5);

    const one = await admin(server, "/guard/release", {
      method: "POST",
      body: JSON.stringify({ id: String(list[0]?.["id"]) }),
    });
    expect(one.body).toEqual({ released: 1 });
    const third = await Promise.all(paths.map((path) => other.patch(path, DEACTIVATE)));
    expect(
      countOf(
        third.map(({ status }) => status),
        429,
      ),
    ).toBe(14);
    const rest = await admin(server, "/guard/release", { method: "POST", body: '{"connection":"default"}' });
    expect(rest.body).toEqual({ released: 14 });
    const last = await Promise.all(paths.map((path) => server.patch(path, DEACTIVATE)));
    expect(
      countOf(
        last.map(({ status }) => status),
        200,
      ),
    ).toBe(20);
    expect(await held(server)).toEqual([]);

    // Releases are told in the trail of administration.
    const trail = await database.query(
      `SELECT origin FROM events WHERE tenant = 'admin' AND type = 'GuardHold' ORDER BY at`,
    );
    expect(trail).toHaveLength(2);
  });

  test("counts deletions, removals of members and operations of bulk jobs, each on its own", async () => {
    const { server, paths, warnings } = await guarded(engine, HOLD, 16);
    const members = paths.map((path) => ({ value: path.slice("/Users/".length) }));
    const group = await server.group({ displayName: "Team", members });
    const remove = (count: number): ReturnType<typeof server.patch> =>
      server.patch(group.path, [{ op: "remove", path: "members", value: members.slice(0, count) }]);
    expect((await remove(6)).status).toBe(429);
    expect((await server.call("PUT", group.path, { body: group.body })).status).toBe(200);
    expect((await server.patch(group.path, [{ op: "remove", path: "members" }])).status).toBe(429);
    const [change] = await held(server);
    expect(change).toMatchObject({ measure: "removals", type: "Group", tries: 2, removed: { count: 16 } });
    // Whoever tries again what is held is no news.
    expect(warnings().filter(({ msg }) => String(msg).startsWith("guard:"))).toHaveLength(1);
    await admin(server, "/guard/dismiss", { method: "POST", body: '{"connection":"default"}' });
    expect((await remove(5)).status).toBe(200);
    expect((await remove(6)).status).toBe(429);

    // A release is for the members that were held, in however many requests, and for no others.
    const release = () =>
      admin(server, "/guard/release", { method: "POST", body: '{"connection":"default"}' });
    const ids = members.map(({ value }) => value);
    const without = async (place: number): Promise<number> => {
      const removal = { op: "remove", path: `members[value eq "${ids[place] ?? ""}"]` };
      return (await server.patch(group.path, [removal])).status;
    };
    expect([await without(6), await without(5), await without(6)]).toEqual([429, 429, 429]);
    const both = { values: [ids[5], ids[6]], count: 2 };
    expect(await held(server)).toMatchObject([{ tries: 4, removed: both, released: null }]);
    expect((await release()).body).toEqual({ released: 1 });
    expect([await without(6), await without(7), await without(5)]).toEqual([200, 429, 429]);
    expect(await held(server)).toMatchObject([{ removed: { values: [ids[5], ids[7]] }, released: null }]);
    expect((await release()).body).toEqual({ released: 1 });
    expect([await without(5), await without(7)]).toEqual([200, 200]);
    expect(await held(server)).toEqual([]);
    // Where all were to go, it is for so many.
    const all = [{ op: "remove", path: "members" }];
    expect((await server.patch(group.path, all)).status).toBe(429);
    expect((await release()).body).toEqual({ released: 1 });
    expect((await server.patch(group.path, all)).status).toBe(200);
    expect(await held(server)).toEqual([]);
    expect((await server.patch(group.path, [{ op: "add", path: "members", value: members }])).status).toBe(
      200,
    );
    expect((await remove(6)).status).toBe(429);

    const deletions = paths.slice(0, 7).map((path) => ({ method: "DELETE", path }));
    const bulk = await server.call("POST", "/Bulk", {
      body: { schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], Operations: deletions },
    });
    // The operations of a bulk answer are objects with a status.
    const results = bulk.body["Operations"] as readonly JsonObject[];
    expect(results.map(({ status }) => status)).toEqual([...Array<string>(5).fill("204"), "429", "429"]);
    expect(await held(server)).toHaveLength(3);
    // An owner who erases a person is no connection that goes wrong.
    const erased = await admin(server, `/subjects/${members.at(-1)?.value ?? ""}`, { method: "DELETE" });
    expect(erased.status).toBe(200);
  });

  test("counts what goes from collections beside a deactivation, and holds either", async () => {
    const documents = await writeDocuments(SQUAD);
    onTestFinished(documents.remove);
    const { server, paths } = await guarded(engine, { ...HOLD, SCIM_SCHEMAS: documents.directory }, 6);
    const members = paths.map((path) => ({ value: path.slice("/Users/".length) }));
    const squads: string[] = [];
    for (const count of [6, 1, 1, 1, 1, 1, 1]) {
      const body = { schemas: [SQUAD_URN], active: true, members: members.slice(0, count) };
      squads.push(`/Squads/${String((await server.call("POST", "/Squads", { body })).body["id"])}`);
    }
    const [large = "", ...small] = squads;
    const end = async (path: string): Promise<number> => {
      const operations = [
        { op: "replace", path: "active", value: false },
        { op: "remove", path: "members" },
      ];
      return (await server.patch(path, operations)).status;
    };
    expect(await end(large)).toBe(429);
    expect(await held(server)).toMatchObject([{ measure: "removals", type: "Squad", removed: { count: 6 } }]);
    await admin(server, "/guard/dismiss", { method: "POST", body: '{"connection":"default"}' });

    const statuses: number[] = [];
    for (const path of small) statuses.push(await end(path));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const measures = (await held(server)).map(({ measure }) => measure);
    expect(new Set(measures)).toEqual(new Set(["deactivations", "removals"]));
    const all = { method: "POST", body: '{"connection":"default"}' };
    expect((await admin(server, "/guard/release", all)).body).toEqual({ released: 2 });
    expect(await end(small.at(-1) ?? "")).toBe(200);
    expect(await held(server)).toEqual([]);
  });

  test("holds nothing any more of a resource that another connection deletes", async () => {
    const { server, paths } = await guarded(engine, HOLD, 8);
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await server.patch(path, DEACTIVATE)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    await admin(server, "/guard/release", {
      method: "POST",
      body: JSON.stringify({ id: (await held(server))[0]?.["id"] }),
    });
    await admin(server, "/connections", { method: "POST", body: '{"connection":"hr"}' });
    const { body } = await admin(server, "/connections/hr/tokens", { method: "POST", body: "{}" });
    const hr = clientOf({ origin: server.origin, base: "/scim/v2", token: textMember(body, "token") });
    for (const path of paths.slice(5, 7)) expect((await hr.call("DELETE", path)).status).toBe(204);
    expect((await held(server)).map(({ resource }) => resource)).toEqual([paths[7]?.split("/").at(-1)]);
    expect((await hr.call("DELETE", paths[7] ?? "")).status).toBe(204);
    expect(await held(server)).toEqual([]);
  });

  test("of removals the share is that of the members of all live groups", async () => {
    const { server } = await guarded(engine, HOLD, 0);
    const members = (from: number, count: number): readonly JsonObject[] =>
      Array.from({ length: count }, (_, n) => ({ value: `member-${from + n}` }));
    const group = await server.group({ displayName: "Team", members: members(0, 40) });
    await server.group({ displayName: "Others", members: members(0, 30) });
    const gone = await server.group({ displayName: "Gone", members: members(0, 100) });
    expect((await server.call("DELETE", gone.path)).status).toBe(204);
    const remove = async (value: readonly JsonObject[]): Promise<number> =>
      (await server.patch(group.path, [{ op: "remove", path: "members", value }])).status;
    // Seven are a tenth of seventy, and more than five.
    expect([await remove(members(0, 7)), await remove(members(7, 1))]).toEqual([200, 429]);
  });

  test("of removals more members are counted where more are removed", async () => {
    const { server } = await guarded(engine, HOLD, 0);
    const members = Array.from({ length: 300 }, (_, n) => ({ value: `member-${n}` }));
    const group = await server.group({ displayName: "Team", members });
    const statuses: number[] = [];
    for (const [from, to] of [
      [0, 1],
      [1, 10],
      [10, 25],
      [25, 40],
    ] as const) {
      const removal = { op: "remove", path: "members", value: members.slice(from, to) };
      statuses.push((await server.patch(group.path, [removal])).status);
    }
    // A tenth of what is there is between 26 and 30.
    expect(statuses).toEqual([204, 204, 204, 429]);
  });

  test("lets named persons and dry runs pass, and counts nothing that was not written", async () => {
    const { server, paths } = await guarded(engine, HOLD, 8);
    const guard = { mode: "hold", atLeast: 2, percent: 0, window: 60, named: ["U7@corp.example"] };
    const set = await admin(server, "/connections/default", {
      method: "PATCH",
      body: JSON.stringify({ guard, silentAfter: 90 }),
    });
    expect([set.status, set.body]).toMatchObject([200, { guard, silentAfter: 90 }]);
    const bad = await admin(server, "/connections/default", {
      method: "PATCH",
      body: '{"guard":{"mode":"odd"}}',
    });
    expect(bad.status).toBe(400);
    const kept = await admin(server, "/connections/default", {
      method: "PATCH",
      body: '{"guard":{"mode":"hold"}}',
    });
    expect([kept.status, kept.body]).toMatchObject([200, { guard }]);

    const statuses: number[] = [];
    const deactivate = async (at: number, before = ""): Promise<void> => {
      const body = { schemas: [PATCH_OP], Operations: DEACTIVATE };
      statuses.push((await server.call("PATCH", `${before}${paths[at] ?? ""}`, { body })).status);
    };
    for (const at of [0, 1, 2]) await deactivate(at, "/.dry-run");
    await server.patch(paths[0] ?? "", [
      { op: "replace", path: "userName", value: "u1@corp.example" },
      ...DEACTIVATE,
    ]);
    for (const at of [0, 1, 2, 7]) await deactivate(at);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
    const trial = await server.patch(`/.dry-run${paths[3] ?? ""}`, DEACTIVATE);
    expect(trial.body).toMatchObject({ valid: false, status: "429" });
    expect(await held(server)).toHaveLength(1);
    expect((await server.user({ userName: "new", active: false })).body["active"]).toBe(false);
    const other = { schemas: [USER], userName: "u3@corp.example", title: "x" };
    expect((await server.call("PUT", paths[3] ?? "", { body: other })).status).toBe(200);
  });

  test("finds who is named by a name of which the letter case counts, as it is spelled", async () => {
    const documents = await writeDocuments(BADGE);
    onTestFinished(documents.remove);
    const { server } = await guarded(engine, { ...HOLD, SCIM_SCHEMAS: documents.directory }, 0);
    const badges: string[] = [];
    for (const serial of ["B-7", "b-8", "B-9"]) {
      const made = await server.call("POST", "/Badges", { body: { schemas: [BADGE_URN], serial } });
      badges.push(String(made.body["id"]));
    }
    const change = async (named: readonly string[]): Promise<unknown> => {
      const body = JSON.stringify({ guard: { atLeast: 0, percent: 0, named } });
      return (await admin(server, "/connections/default", { method: "PATCH", body })).body["namesOfNobody"];
    };
    await server.user({ userName: "ceo@corp.example" });
    const there = ["B-9", "CEO@corp.example", badges[0]?.toUpperCase() ?? ""];
    expect(await change([...there, "B-8", "coe@corp.example"])).toEqual(["B-8", "coe@corp.example"]);
    expect(await change(["B-7", "b-8"])).toBeUndefined();
    const group = await server.group({ displayName: "Team", members: badges.map((value) => ({ value })) });
    const statuses: number[] = [];
    for (const value of badges)
      statuses.push(
        (await server.patch(group.path, [{ op: "remove", path: `members[value eq "${value}"]` }])).status,
      );
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("one of the name of a connection that was deleted is held by nothing that it did", async () => {
    const { database, server, paths } = await guarded(engine, HOLD, 8);
    const connect = async (): Promise<Client> => {
      const made = await admin(server, "/connections", { method: "POST", body: '{"connection":"hr"}' });
      expect(made.status).toBe(201);
      const { body } = await admin(server, "/connections/hr/tokens", { method: "POST", body: "{}" });
      return clientOf({ origin: server.origin, base: "/scim/v2", token: textMember(body, "token") });
    };
    const first = await connect();
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await first.patch(path, DEACTIVATE)).status);
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([5, 3]);
    expect(await held(server)).toHaveLength(3);
    expect((await printed(["connection", "delete", "hr"], database.environment)).code).toBe(0);
    expect(await held(server)).toEqual([]);
    const second = await connect();
    expect((await second.patch(paths[5] ?? "", DEACTIVATE)).status).toBe(200);
    expect(await held(server)).toEqual([]);
  });
});

describe("the guard, whatever its database", () => {
  test("R7643-2.1-01: counts a deactivation in whatever letter case the setting names the attribute", async () => {
    const { server, paths } = await guarded(SQLITE, { ...HOLD, SCIM_GUARD_DEACTIVATING: "Active" }, 6);
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await server.patch(path, DEACTIVATE)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test("counts no membership that named persons lose, whether their id or their userName is named", async () => {
    const { server, paths } = await guarded(SQLITE, HOLD, 5);
    const ids = paths.map((path) => path.split("/").at(-1) ?? "");
    const guard = { atLeast: 2, percent: 0, named: ["U3@corp.example", ids[4]] };
    const body = JSON.stringify({ guard });
    expect((await admin(server, "/connections/default", { method: "PATCH", body })).status).toBe(200);
    const group = await server.group({ displayName: "Team", members: ids.map((value) => ({ value })) });
    const statuses: number[] = [];
    for (const value of [ids[0], ids[3], ids[4], ids[1], ids[2]]) {
      const removal = { op: "remove", path: `members[value eq "${value ?? ""}"]` };
      statuses.push((await server.patch(group.path, [removal])).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  test("counts no membership that named persons lose where a group loses all of its members at once", async () => {
    const { server, paths } = await guarded(SQLITE, HOLD, 6);
    const ids = paths.map((path) => path.split("/").at(-1) ?? "");
    const guard = { atLeast: 2, percent: 0, named: ["U3@corp.example", ids[4]?.toUpperCase()] };
    const body = JSON.stringify({ guard });
    expect((await admin(server, "/connections/default", { method: "PATCH", body })).status).toBe(200);
    const emptied = async (...places: readonly number[]): Promise<number> => {
      const members = places.map((place) => ({ value: ids[place] ?? "" }));
      const group = await server.group({ displayName: `Team ${places.join()}`, members });
      return (await server.patch(group.path, [{ op: "remove", path: "members" }])).status;
    };
    expect([await emptied(3, 4), await emptied(0, 3, 1, 4), await emptied(2, 3, 4, 5)]).toEqual([
      200, 200, 429,
    ]);
    expect(await held(server)).toMatchObject([{ removed: { count: 2 } }]);
  });

  test("what is not held cannot be released or dismissed, by its id or a connection, at a server and here", async () => {
    const { database, server, paths } = await guarded(SQLITE, HOLD, 7);
    for (const path of paths) await server.patch(path, DEACTIVATE);
    const [one] = await held(server);
    const id = String(one?.["id"]);
    const decide = async (how: string, which: JsonObject): Promise<readonly unknown[]> => {
      const { status, body } = await admin(server, `/guard/${how}`, {
        method: "POST",
        body: JSON.stringify(which),
      });
      return [status, body["detail"] ?? body];
    };
    const here = (...args: string[]) => printed(["guard", ...args], database.environment);
    const there = (...args: string[]) =>
      printed(["guard", ...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const unknown = expect.stringContaining("Tenant 'default' holds no change '0199'");
    for (const how of ["release", "dismiss"]) {
      expect(await decide(how, { id: "0199" })).toEqual([404, unknown]);
      expect(await decide(how, { connection: "nope" })).toEqual([404, expect.stringContaining("'nope'")]);
      for (const scim of [here, there]) {
        await expect(scim(how, "0199")).rejects.toMatchObject({ message: unknown, exitCode: 1 });
        await expect(scim(how, "--connection=nope")).rejects.toMatchObject({
          message: expect.stringContaining("'nope'"),
        });
      }
    }
    expect(await decide("release", { id })).toEqual([200, { released: 1 }]);
    expect(await decide("release", { id })).toEqual([200, { released: 0 }]);
    for (const scim of [here, there]) {
      const released = { message: expect.stringContaining("released already"), exitCode: 1 };
      await expect(scim("release", id)).rejects.toMatchObject(released);
      // Names the list as the address does.
      expect(JSON.parse((await scim("list", "--json")).stdout)).toMatchObject({ held: [{ id }, {}] });
    }
    expect(await decide("dismiss", { id })).toEqual([200, { dismissed: 1 }]);
    expect((await decide("dismiss", { id }))[0]).toBe(404);
    expect(await decide("release", { connection: "default" })).toEqual([200, { released: 1 }]);
    expect(await decide("release", { connection: "default" })).toEqual([200, { released: 0 }]);
  });

  test("observing holds nothing, and tells once", async () => {
    const { server, paths, warnings } = await guarded(SQLITE, GUARDED, 12);
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await server.patch(path, DEACTIVATE)).status);
    expect(countOf(statuses, 200)).toBe(12);
    expect(await held(server)).toEqual([]);
    expect(warnings().filter(({ msg }) => String(msg).startsWith("guard:"))).toMatchObject([
      { mode: "observe", measure: "deactivations", type: "User", count: 6, most: 5, windowMinutes: 60 },
    ]);
  });
});
