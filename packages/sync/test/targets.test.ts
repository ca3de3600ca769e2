import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { USER, type ClientResourceType } from "@scim/client";
import { createDefaultRegistry, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { Source } from "@scim/sync";
import type { Between } from "../../client/test/support/service.ts";
import { aClockedTarget, aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

const USERS = `
  - { type: User, from: people, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}", title: "{title}" }, leavers: deactivate }`;
const MAPPING = `
resources:${USERS}
  - type: Group
    from: teams
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", displayName: "{id}" }
    references: { members: { to: User, keys: "{people | split(' ')}" } }
`;

const people = (count: number, title = "") =>
  aFile("p.csv", ["id,title", ...Array.from({ length: count }, (_, at) => `${at},${title}`)].join("\n"));
const team = (from: number, to: number) =>
  aFile("t.csv", `id,people\nteam,${Array.from({ length: to - from }, (_, at) => at + from).join(" ")}\n`);

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/scim+json" }).end(JSON.stringify(body));
}

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

describe("members", () => {
  test("go in pieces, and in smaller ones where the target finds them too large", async () => {
    const between: Between = async (request, response, pass) => {
      const isLong = request.method === "PATCH" && Number(request.headers["content-length"]) > 1500;
      if (isLong) answer(response, 413, { schemas: [ERROR], status: "413" });
      else await pass();
    };
    const state = join(aFolder(), "state");
    for (const [target, patches] of [
      [await aTarget(), 4],
      [await aTarget({}, between), null],
    ] as const) {
      const options = {
        mapping: MAPPING,
        state: `${state}-${String(patches)}`,
        chunk: patches === null ? 500 : 10,
      };
      const { report } = await run(target, {
        ...options,
        sources: { people: people(40), teams: team(0, 40) },
      });
      expect(report.failures).toEqual([]);
      const sent = target.written().filter((line) => line.startsWith("PATCH /Groups"));
      if (patches === null) expect(sent.length).toBeGreaterThan(1);
      else expect(sent).toHaveLength(patches);
      const moved = await run(target, { ...options, sources: { people: people(40), teams: team(20, 40) } });
      expect(moved.plan.counts).toMatchObject([{}, { add: 0, remove: 20 }]);
      expect(moved.report.failures).toEqual([]);
      expect((await target.client.groups.list().first())?.members).toHaveLength(20);
    }
  });

  test("of a target without PATCH go by PUT", async () => {
    const target = await aTarget({}, async (request, response, pass) => {
      if (request.method === "PATCH") answer(response, 501, { schemas: [ERROR], status: "501" });
      else if (request.url?.endsWith("/ServiceProviderConfig") === true)
        answer(response, 200, {
          patch: { supported: false },
          filter: { supported: true },
          etag: { supported: true },
        });
      else await pass();
    });
    const state = join(aFolder(), "state");
    const options = { mapping: MAPPING, state };
    await run(target, { ...options, sources: { people: people(3), teams: team(0, 2) } });
    const { report } = await run(target, {
      ...options,
      sources: { people: people(3, "Dr"), teams: team(1, 3) },
    });
    expect(report).toMatchObject({ done: { update: 3, references: 1 }, failures: [] });
    expect((await target.client.groups.list().first())?.members).toHaveLength(2);
  });
});

test("R7644-3.5.1-04 what a target without PATCH shows on request alone stays when another attribute changes", async () => {
  const badge = "urn:example:params:scim:schemas:extension:acme:1.0:User";
  const hint = { name: "hint", type: "string", returned: "request" } as const;
  const registry = createDefaultRegistry();
  registry.addSchema({ id: badge, name: "Badge", attributes: [hint] });
  const schemaExtensions = [{ schema: badge, required: false }];
  const type = { name: "User", endpoint: "/Users", schema: USER_URN, schemaExtensions };
  registry.addResourceType(type, { allowBreaking: true });
  const target = await aTarget({ registry }, async (request, response, pass) => {
    if (request.url?.endsWith("/ServiceProviderConfig") === true)
      answer(response, 200, { patch: { supported: false }, filter: { supported: true } });
    else await pass();
  });
  const options = { mapping: `resources:${USERS}`, state: join(aFolder(), "state") };
  await run(target, { ...options, sources: { people: people(1) } });
  const user = await target.client.users.list().first();
  const extensions = [{ id: badge, name: "Badge", attributes: [hint] }];
  const badged: ClientResourceType = { ...USER, extensions };
  const users = target.client.resource(badged);
  await users.replace(user?.id ?? "", { userName: "u0", externalId: "0", [badge]: { hint: "blue" } });
  const { report } = await run(target, { ...options, sources: { people: people(1, "Dr") } });
  expect(report).toMatchObject({ done: { update: 1 }, failures: [] });
  const path = `${badge}:hint`;
  expect(await users.get(user?.id ?? "", { attributes: ["title", path] })).toMatchObject({
    title: "Dr",
    [badge]: { hint: "blue" },
  });
});

test("a target that a proxy has lost the way to has deleted nobody", async () => {
  let isLost = false;
  const target = await aTarget({}, async (request, response, pass) => {
    if (request.method === "DELETE") isLost = true;
    if (isLost) response.writeHead(404, { "Content-Type": "text/plain" }).end("404 page not found");
    else await pass();
  });
  const mapping = `resources:${USERS.replace("deactivate", "delete")}`;
  const options = { mapping, state: join(aFolder(), "state") };
  await run(target, { ...options, sources: { people: people(2) } });
  const lost = await run(target, { ...options, sources: { people: people(1) } });
  expect(lost.report).toMatchObject({ done: { delete: 0 }, failures: [{ code: "unexpectedStatus" }] });
  isLost = false;
  expect((await plan(target, { ...options, sources: { people: people(1) } })).counts).toMatchObject([
    { delete: 1 },
  ]);
});

describe("many creations", () => {
  test("go by bulk, and a failure is that of its record", async () => {
    const target = await aTarget();
    await target.client.users.create({ userName: "u7" });
    target.written();
    const state = join(aFolder(), "state");
    const options = { mapping: `resources:${USERS}`, sources: { people: people(250) }, state };
    const { report } = await run(target, options);
    expect(report).toMatchObject({ done: { create: 249 }, failures: [{ key: "7", code: "uniqueness" }] });
    expect(target.written()).toEqual(["POST /Bulk", "POST /Bulk", "POST /Bulk"]);
    expect((await plan(target, options)).counts).toMatchObject([{ create: 1, unchanged: 249 }]);
  });

  test("go one by one where one of them takes more than a bulk request may", async () => {
    const target = await aTarget({}, async (request, response, pass) => {
      if (request.url?.endsWith("/ServiceProviderConfig") === true)
        answer(response, 200, {
          patch: { supported: true },
          bulk: { supported: true, maxOperations: 50, maxPayloadSize: 20_000 },
        });
      else await pass();
    });
    const lines = Array.from({ length: 120 }, (_, at) => `${at},${at === 60 ? "x".repeat(20_000) : ""}`);
    const options = {
      mapping: `resources:${USERS}`,
      sources: { people: aFile("p.csv", ["id,title", ...lines].join("\n")) },
    };
    expect((await run(target, options)).report).toMatchObject({ done: { create: 120 }, failures: [] });
    const written = target.written();
    expect(written.filter((line) => line === "POST /Users")).toHaveLength(50);
    expect(written).toContain("POST /Bulk");
  });

  test("go one by one where the target refuses bulk, whatever it says", async () => {
    const target = await aTarget({}, async (request, response, pass) => {
      if (request.url?.endsWith("/Bulk") === true) answer(response, 501, { schemas: [ERROR], status: "501" });
      else await pass();
    });
    const options = { mapping: `resources:${USERS}`, sources: { people: people(120) } };
    expect((await run(target, options)).report).toMatchObject({ done: { create: 120 }, failures: [] });
  });
});

describe("a target that says it has bulk, and", () => {
  const GROUPS = `
  - { type: Group, from: teams, key: "{id}", match: displayName, set: { displayName: "{name}" } }`;
  const teams = (count: number) =>
    aFile("teams.csv", ["id,name", ...Array.from({ length: count }, (_, at) => `${at},t${at}`)].join("\n"));
  const failing = (fails: Between) =>
    aTarget({}, async (request, response, pass) => {
      if (request.url?.endsWith("/Bulk") === true) await fails(request, response, pass);
      else await pass();
    });

  test.each<readonly [string, Between]>([
    ["fails at it", (_request, response) => answer(response, 500, { schemas: [ERROR], status: "500" })],
    [
      "does it, and fails then",
      async (_request, response, pass) => {
        const writeHead = response.writeHead.bind(response);
        Object.assign(response, { writeHead: () => writeHead(500) });
        await pass();
      },
    ],
    ["answers with something else", (_request, response) => answer(response, 200, { schemas: [ERROR] })],
    ["answers with a list", (_request, response) => answer(response, 200, [])],
  ])("%s, gets each resource once", async (_, fails) => {
    const target = await failing(fails);
    const options = {
      mapping: `resources:${USERS}`,
      sources: { people: people(250) },
      state: join(aFolder(), "state"),
    };
    expect((await run(target, options)).report).toMatchObject({ done: { create: 250 }, failures: [] });
    expect(target.written().filter((line) => line === "POST /Bulk")).toHaveLength(1);
    expect((await plan(target, options)).counts).toMatchObject([{ create: 0, unchanged: 250 }]);
  });

  test("fails at it, gets what nothing identifies in the next run", async () => {
    const target = await failing((_request, response) =>
      answer(response, 500, { schemas: [ERROR], status: "500" }),
    );
    const options = {
      mapping: `resources:${GROUPS}`,
      sources: { teams: teams(250) },
      state: join(aFolder(), "state"),
    };
    const { report } = await run(target, options);
    expect(report.done.create).toBe(150);
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(["unknownOutcome"]));
    expect((await run(target, options)).report).toMatchObject({ done: { create: 100 }, failures: [] });
    expect(await target.client.groups.list().toArray()).toHaveLength(250);
  });
});

describe("a target that", () => {
  test.each([
    ["leaves Resources out", { totalResults: 3 }],
    ["ends before its end", { totalResults: 3, Resources: [{ id: "a", externalId: "0", userName: "u0" }] }],
    ["gives what is no resource", { totalResults: 1, Resources: ["a"] }],
  ])("%s is not believed, and nothing is written", async (_, list) => {
    const target = await aTarget({}, async (request, response, pass) => {
      if (request.method === "GET" && /\/Users\?/.test(request.url ?? "")) answer(response, 200, list);
      else await pass();
    });
    await expect(
      run(target, { mapping: `resources:${USERS}`, sources: { people: people(2) } }),
    ).rejects.toThrow(/Users/);
    expect(target.written()).toEqual([]);
  });

  test("gives a resource twice has it once", async () => {
    const target = await aTarget({ cursors: false });
    const options = { mapping: `resources:${USERS}`, sources: { people: people(3) } };
    await run(target, options);
    const all = await target.client.users.list().toArray();
    const twice = await aTarget({}, async (request, response, pass) => {
      if (request.method === "GET" && /\/Users\?/.test(request.url ?? ""))
        answer(response, 200, {
          totalResults: 4,
          itemsPerPage: 4,
          startIndex: 1,
          Resources: [...all, all[0]],
        });
      else await pass();
    });
    const { steps, faults } = await plan(twice, options);
    expect([steps.length, faults]).toEqual([0, []]);
  });

  test.each([
    ["done", 0],
    ["undone", 1],
  ] as const)("loses a change, %s, has it told, and settled by the next run", async (when, left) => {
    let loses = false;
    const target = await aTarget({}, async (request, response, pass) => {
      const isLost = loses && request.method === "PATCH";
      if (!isLost) return pass();
      loses = false;
      if (when === "done") {
        // What is answered goes nowhere.
        response.write = () => true;
        response.end = () => response.destroy();
        await pass();
      }
      request.socket.destroy();
    });
    const mapping = `
resources:
  - { type: User, key: "{id}", match: userName, set: { userName: "{id}", 'emails[type eq "work"].value': "{mail}" } }`;
    const state = join(aFolder(), "state");
    const options = (mail: string) => ({
      mapping,
      state,
      sources: { people: aFile("p.csv", `id,mail\n1,${mail}`) },
    });
    await run(target, options("a@x.example"));
    loses = true;
    const { report } = await run(target, options("b@x.example"));
    expect(report).toMatchObject({ done: { update: 0 }, failures: [{ key: "1", code: "unknownOutcome" }] });
    target.written();
    const next = await run(target, options("b@x.example"));
    expect(next.report).toMatchObject({ done: { update: left }, failures: [] });
    expect(target.written()).toHaveLength(left);
    expect((await target.client.users.list().first())?.emails).toMatchObject([{ value: "b@x.example" }]);
    expect((await plan(target, options("b@x.example"))).steps).toHaveLength(0);
  });

  test("loses the answer to a creation, and is away, has what was created leave with its record", async () => {
    let isAway = false;
    const target = await aTarget({}, async (request, response, pass) => {
      if (!isAway && request.method !== "POST") return pass();
      if (!isAway) {
        isAway = true;
        response.write = () => true;
        response.end = () => response.destroy();
        await pass();
      }
      request.socket.destroy();
    });
    const mapping = `
resources: [{ type: User, key: "{id}", match: userName, leavers: deactivate, set: { userName: "u{id}" } }]`;
    const state = join(aFolder(), "state");
    const options = (records: string) => ({ mapping, state, sources: { people: aFile("p.jsonl", records) } });
    const lost = await run(target, options('{"id":1}'));
    expect(lost.report).toMatchObject({
      failures: [{ action: "create", key: "1", code: "unknownOutcome" }],
      stopped: null,
    });
    isAway = false;
    const next = await run(target, { ...options("\n"), beyondLimits: true });
    expect(next.report).toMatchObject({ done: { deactivate: 1 }, failures: [] });
    expect(await target.client.users.list().toArray()).toMatchObject([{ userName: "u1", active: false }]);
    expect((await plan(target, options("\n"))).steps).toHaveLength(0);
    const again = await run(target, options('{"id":1}'));
    expect(again.report.done).toMatchObject({ create: 0, update: 1 });
    expect(await target.client.users.list().toArray()).toMatchObject([{ userName: "u1", active: true }]);
  });

  test("refuses the credentials half-way stops the run, and the next one does the rest", async () => {
    let left = 5;
    const target = await aTarget({}, async (request, response, pass) => {
      if (request.method === "POST" && left-- === 0)
        answer(response, 401, { schemas: [ERROR], status: "401" });
      else await pass();
    });
    const options = {
      mapping: `resources:${USERS}`,
      sources: { people: people(20) },
      state: join(aFolder(), "state"),
    };
    const { report } = await run(target, options);
    expect(report.stopped).toContain("unauthorized");
    expect(report.done.create).toBeLessThan(20);
    const again = await run(target, options);
    expect(again.report).toMatchObject({ stopped: null, failures: [] });
    expect(again.report.done.create + report.done.create).toBe(20);
  });

  test.each([
    ["refuses references, so that the run stops", "PATCH"],
    ["loses the answers to creations, and is away", "POST"],
  ])("%s, has the next run finish what was made, whatever its limits", async (_what, first) => {
    let [method, isWell, isAway] = [first, false, false];
    const target = await aTarget({}, async (request, response, pass) => {
      if (isWell) return pass();
      if (request.method !== method) return isAway ? void request.socket.destroy() : pass();
      if (method === "PATCH") return answer(response, 401, { schemas: [ERROR], status: "401" });
      isAway = true;
      response.write = () => true;
      response.end = () => response.destroy();
      await pass();
    });
    const mapping = `
limits: { updates: { most: 0, percent: 0 } }
resources:
  - type: User
    key: "{id}"
    match: userName
    set: { userName: "{id}" }
    references: { "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager": { to: User, keys: "{boss}" } }`;
    const options = (lines: readonly string[]) => ({
      mapping,
      state,
      sources: { people: aFile("p.csv", ["id,boss", ...lines].join("\n")) },
    });
    const state = join(aFolder(), "state");
    const broken = await run(target, options(["a,", "b,a", "c,a"]));
    expect([broken.report.failures.length > 0, broken.report.done.references]).toEqual([true, 0]);
    [method, isAway] = ["PATCH", false];
    expect((await run(target, options(["a,", "b,a", "c,a"]))).report.done.references).toBe(0);
    isWell = true;
    const { report } = await run(target, options(["a,", "b,a", "c,a"]));
    expect(report).toMatchObject({ done: { create: 0, references: 2 }, failures: [], stopped: null });
    await expect(run(target, options(["a,", "b,", "c,a"]))).rejects.toThrow(
      "It would update 1 of 3 resources",
    );
    await expect(run(target, options(["a,b", "b,a", "c,a"]))).rejects.toThrow("It would update 1 of 3");
  });

  test("answers no more when everything is done is asked for nothing more, and the next run changes nothing", async () => {
    let isAway = false;
    const target = await aTarget({}, async (request, response, pass) => {
      if (isAway && request.method === "GET")
        return answer(response, 503, { schemas: [ERROR], status: "503" });
      isAway = request.method === "POST";
      return pass();
    });
    const options = {
      mapping: `resources:${USERS}`,
      sources: { people: people(1) },
      state: join(aFolder(), "state"),
    };
    const { report } = await run(target, options);
    expect(report).toMatchObject({ done: { create: 1 }, failures: [], stopped: null });
    isAway = false;
    target.written();
    await run(target, options);
    expect(target.written()).toEqual([]);
  });

  test("refuses to count alone has the run end, and everything read by the next one", async () => {
    const target = await aTarget({}, async (request, response, pass) => {
      const isCount = request.url?.includes("count=0") === true;
      if (isCount) answer(response, 400, { schemas: [ERROR], status: "400" });
      else await pass();
    });
    const options = {
      mapping: `resources:${USERS}`,
      sources: { people: people(1) },
      state: join(aFolder(), "state"),
    };
    expect((await run(target, options)).report).toMatchObject({ done: { create: 1 }, stopped: null });
    expect(await plan(target, options)).toMatchObject({ reading: "everything", steps: { length: 0 } });
  });

  test("gives everybody, whatever it is asked for, has who is new to a source of changes found among them", async () => {
    const target = await aClockedTarget({ cursors: false }, async (request, _, pass) => {
      request.url = request.url?.replace(/([?&])filter=[^&]*&?/, "$1");
      await pass();
    });
    for (const held of [{}, { externalId: "1" }, { externalId: "2" }])
      await target.client.users.create({ userName: `u${held.externalId ?? "nobody"}`, ...held });
    target.passHour();
    const told = (ids: readonly number[]): Source => ({
      open: async (since) => ({
        changesOnly: since !== null,
        token: () => "later",
        items: (async function* () {
          for (const id of ids) yield { kind: "record", fields: { id }, place: `record ${id}` };
        })(),
      }),
    });
    const options = { mapping: `resources:${USERS}`, state: join(aFolder(), "state") };
    await run(target, { ...options, sources: { people: told([1]) } });
    target.asked();
    const { plan: found, report } = await run(target, { ...options, sources: { people: told([2, 3]) } });
    // One list of changes, one for each record, and the count at the beginning.
    expect(target.asked().filter((line) => line === "GET /Users")).toHaveLength(4);
    expect(found).toMatchObject({ reading: "changes", counts: [{ create: 1, unchanged: 1 }] });
    expect(report).toMatchObject({ done: { create: 1 }, failures: [] });
  });

  test("has somebody else change and then delete who leaves is right as it is", async () => {
    const target = await aTarget({}, async (request, _, pass) => {
      const id = request.url?.split("/").at(-1) ?? "";
      if (request.method === "DELETE" && request.headers["if-match"] !== undefined)
        await target.client.users.patch(id, [{ op: "add", path: "nickName", value: "Nick" }]);
      else if (request.method === "DELETE" && request.headers["x-another"] === undefined)
        await target.client.users.delete(id, { headers: { "x-another": "yes" } });
      await pass();
    });
    const options = (count: number) => ({
      mapping: `resources:${USERS.replace("deactivate", "delete")}`,
      sources: { people: people(count) },
      state,
    });
    const state = join(aFolder(), "state");
    await run(target, options(2));
    const { report } = await run(target, options(1));
    expect(report).toMatchObject({ done: { delete: 1 }, failures: [] });
    expect(await target.client.users.list().toArray()).toHaveLength(1);
  });

  test("others change at the same time keeps their changes", async () => {
    let change: (() => Promise<unknown>) | null = null;
    const target = await aTarget({}, async (request, _, pass) => {
      const first = change;
      if (request.method === "PATCH" && first !== null) {
        change = null;
        await first();
      }
      await pass();
    });
    const state = join(aFolder(), "state");
    const mapping = `resources:${USERS}`;
    await run(target, { mapping, state, sources: { people: people(1) } });
    const user = await target.client.users.list().first();
    change = () =>
      target.client.users.patch(user?.id ?? "", [{ op: "add", path: "nickName", value: "Nick" }]);
    const { report } = await run(target, { mapping, state, sources: { people: people(1, "Dr") } });
    expect(report).toMatchObject({ done: { update: 1 }, failures: [] });
    expect(await target.client.users.get(user?.id ?? "", { fresh: true })).toMatchObject({
      title: "Dr",
      nickName: "Nick",
    });
  });
});
