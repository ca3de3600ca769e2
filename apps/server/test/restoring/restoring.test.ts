import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { type Administration, startAdministration } from "../admin/administering.ts";
import { ADMIN_TOKEN } from "../admin/admin-client.ts";
import { printed } from "../command-line/printed.ts";
import { tablesWith, MARK } from "../erasure/remains.ts";
import { eventually } from "../eventually.ts";
import type { Made } from "../over-http/client.ts";
import { ENGINES, type Engine } from "../over-http/engines.ts";
import { textMember } from "../over-http/exchange.ts";

const DELETED = "/tenants/default/deleted";

async function started(engine: Engine, settings: Readonly<Record<string, string>> = {}) {
  const database = await engine.make();
  const environment = { ...database.environment, ...settings };
  return { database, environment, server: await startAdministration(environment) };
}

async function remove(server: Administration, { path }: Pick<Made, "path">): Promise<void> {
  expect((await server.call("DELETE", path)).status).toBe(204);
}

function restored(server: Administration, type: string, id: string) {
  return server.send("POST", `${DELETED}/${type}/${id}/restore`, { match: "*" });
}

async function idsOf(server: Administration, list: string): Promise<unknown> {
  const { body } = await server.call("GET", list);
  const { totalResults, Resources } = body;
  return [
    totalResults,
    (Array.isArray(Resources) ? Resources : []).map((each) => (each as JsonObject)["id"]),
  ];
}

/** What the change feed tells, once it tells so many changes. */
async function changes(server: Administration, count: number): Promise<readonly JsonObject[]> {
  return eventually(async () => {
    const { body } = await server.ask("GET", "/tenants/default/changes?limit=1000");
    expect(body["next"]).toBe(count);
    return body["events"] as readonly JsonObject[];
  });
}

describe.each(ENGINES)("restoring a deleted resource on $name", (engine) => {
  test("brings a user back under its id, into its groups, after showing which, and tells everybody", async () => {
    const { environment, server } = await started(engine);
    const anna = await server.user({ userName: "anna", emails: [{ value: "anna@example.com" }] });
    const groups: Made[] = [];
    for (const displayName of ["a", "b", "c"])
      groups.push(await server.group({ displayName, members: [{ value: anna.id }] }));
    await remove(server, anna);
    await changes(server, 5);

    const listed = await server.send("GET", DELETED);
    expect(listed.body).toEqual({
      deleted: [
        {
          type: "User",
          id: anna.id,
          connection: "default",
          version: expect.any(String),
          created: expect.any(String),
          deleted: expect.any(String),
          until: expect.any(String),
          by: { connection: "default", subject: null, origin: expect.objectContaining({}) },
        },
      ],
      next: null,
    });
    expect(listed.text).not.toContain("anna@");
    const at = textMember((listed.body["deleted"] as readonly JsonObject[])[0] ?? {}, "deleted");
    const later = new Date(Date.parse(at) + 1).toISOString();
    for (const [query, found] of [
      ["type=User&since=1h", 1],
      ["type=Group", 0],
      [`since=${at}&before=${later}`, 1],
      [`since=${later}`, 0],
      [`before=${at}`, 0],
      [`before=${at}&after=${encodeURIComponent(`${later} User x`)}`, 0],
      ["before=12h", 0],
    ] as const)
      expect((await server.send("GET", `${DELETED}?${query}`)).body["deleted"], query).toHaveLength(found);
    for (const [query, status, detail] of [
      ["type=Robot", 400, "There is no resource type 'Robot'; there are User, Group"],
      ["since=soon", 400, "'since' is a span"],
      ["before=", 400, "'before' is a span"],
    ] as const) {
      const refused = await server.send("GET", `${DELETED}?${query}`);
      expect(refused).toMatchObject({ status, body: { detail: expect.stringContaining(detail) } });
    }

    const one = `${DELETED}/User/${anna.id}`;
    const preview = await server.send("GET", one);
    expect(preview).toMatchObject({
      status: 200,
      body: {
        refusal: null,
        memberOf: [{ type: "Group", path: "members", count: 3 }],
        members: [],
      },
    });
    const first = await server.send("GET", `${one}/memberOf?limit=2`);
    const rest = await server.send(
      "GET",
      `${one}/memberOf?after=${encodeURIComponent(String(first.body["next"]))}`,
    );
    const shown = [first, rest].flatMap(({ body }) => body["memberOf"] as readonly JsonObject[]);
    expect(shown.map(({ id }) => id)).toEqual(groups.map(({ id }) => id).toSorted());
    expect(rest.body["next"]).toBeNull();

    expect((await server.send("POST", `${one}/restore`)).status).toBe(428);
    expect((await server.send("POST", `${one}/restore`, { match: anna.tag })).status).toBe(412);
    expect((await server.call("GET", anna.path)).status).toBe(404);
    const token = await server.administrator("operator");
    const answer = await server.send("POST", `${one}/restore`, {
      match: String(preview.headers.etag),
      token,
    });
    expect(answer, answer.text).toMatchObject({ status: 200, body: { type: "User", id: anna.id } });

    const read = await server.call("GET", anna.path);
    expect(read.body).toMatchObject({ userName: "anna", emails: [{ value: "anna@example.com" }] });
    expect((read.body["groups"] as readonly JsonObject[]).map(({ value }) => value)).toEqual(
      groups.map(({ id }) => id).toSorted(),
    );
    // No tag from before fits: neither the one of the client, nor the one of what was deleted.
    for (const tag of [anna.tag, String(preview.headers.etag)])
      expect(
        (await server.patch(anna.path, [{ op: "replace", path: "title", value: "x" }], { "if-match": tag }))
          .status,
      ).toBe(412);
    for (const filter of ['userName eq "ANNA"', 'emails.value eq "anna@example.com"', 'title sw "x"'])
      expect(await idsOf(server, `/Users?filter=${encodeURIComponent(filter)}`), filter).toEqual(
        filter.startsWith("title") ? [0, []] : [1, [anna.id]],
      );
    expect(await idsOf(server, "/Users?attributes=id")).toEqual([1, [anna.id]]);
    expect((await server.send("GET", one)).status).toBe(409);
    expect((await server.send("GET", DELETED)).body).toEqual({ deleted: [], next: null });

    const told = (await changes(server, 6)).at(-1);
    expect(told).toMatchObject({
      kind: "created",
      id: anna.id,
      version: answer.body["version"],
      before: null,
      after: { userName: "anna" },
      origin: { admin: "a operator", request: expect.any(String) },
    });
    const log = await server.send("GET", `/tenants/default/audit?type=User&id=${anna.id}`);
    const entries = log.body["entries"] as readonly JsonObject[];
    const [created, , again] = entries;
    expect(entries.map(({ kind }) => kind)).toEqual(["created", "deleted", "created"]);
    expect(again?.["origin"]).toMatchObject({ admin: "a operator" });
    expect(again?.["version"]).toEqual({
      before: preview.headers.etag?.slice('W/"'.length, -1),
      after: answer.body["version"],
    });
    expect(created?.["version"]).toMatchObject({ before: null });
    expect((await printed(["audit", "verify"], environment)).stdout).toContain("The chain holds.");
    const trail = await server.send("GET", "/audit?limit=1000");
    expect(trail.text).toContain(`/admin/v1${one}/restore`);
  });

  test("brings a group back with its members in their order, however many", async () => {
    const { server } = await started(engine);
    // More than an event names, and more than a purge removes at once.
    const members = Array.from({ length: 1200 }, (_, at) => ({ value: `m${1200 - at}` }));
    const large = await server.group({ displayName: "large", members });
    const anna = await server.user({ userName: "anna" });
    const small = await server.group({ displayName: "small", members: [{ value: "z" }, { value: anna.id }] });
    await remove(server, large);
    await remove(server, small);
    const page = await server.send("GET", `${DELETED}/Group/${large.id}/members?limit=1000`);
    expect(page.body["members"]).toHaveLength(1000);
    expect((await server.send("GET", `${DELETED}/Group/${large.id}`)).body["members"]).toEqual([
      { type: "Group", path: "members", count: 1200 },
    ]);
    for (const { id } of [large, small]) expect((await restored(server, "Group", id)).status).toBe(200);

    const read = await server.call("GET", large.path);
    expect((read.body["members"] as readonly JsonObject[]).map(({ value }) => value)).toEqual(
      members.map(({ value }) => value),
    );
    const user = await server.call("GET", anna.path);
    expect(user.body["groups"]).toMatchObject([{ value: small.id, display: "small" }]);
    const [told, last] = (await changes(server, 7)).slice(-2);
    expect(told?.["collections"]).toEqual([{ path: "members", removed: [], added: 1200 }]);
    expect(last?.["collections"]).toEqual([{ path: "members", removed: [], added: ["z", anna.id] }]);
  });

  test("is refused while another has its userName, when its time is over, and for a type that there is not", async () => {
    const { server } = await started(engine);
    const anna = await server.user({ userName: "anna" });
    await remove(server, anna);
    const other = await server.user({ userName: "anna" });
    const one = `${DELETED}/User/${anna.id}`;
    expect((await server.send("GET", one)).body["refusal"]).toMatchObject({
      status: 409,
      scimType: "uniqueness",
      detail: expect.stringContaining("'userName'"),
    });
    const refused = await restored(server, "User", anna.id);
    expect(refused).toMatchObject({ status: 409, body: { scimType: "uniqueness" } });
    expect(await idsOf(server, "/Users")).toEqual([1, [other.id]]);

    const keep = (deleted: number | null) =>
      server.send("PATCH", "/tenants/default", { match: "*", body: { retention: { deleted } } });
    expect((await keep(0)).status).toBe(200);
    expect((await server.send("GET", DELETED)).body["deleted"]).toEqual([]);
    const late = await restored(server, "User", anna.id);
    expect(late).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("'retention.deleted'") },
    });
    await keep(null);
    await server.patch(other.path, [{ op: "replace", path: "userName", value: "anna2" }]);
    expect((await restored(server, "User", anna.id)).status).toBe(200);

    for (const [type, id, status] of [
      ["Robot", "r1", 400],
      ["User", "nobody", 404],
      ["GroupMembership", "x", 400],
    ] as const)
      expect((await restored(server, type, id)).status, type).toBe(status);
    expect((await restored(server, "User", other.id)).status).toBe(409);
    expect((await server.send("GET", "/tenants/none/deleted")).status).toBe(404);
    for (const after of ["x", "a b c d"])
      expect((await server.send("GET", `${DELETED}?after=${encodeURIComponent(after)}`)).status).toBe(400);
  });

  test("of all who ask at once, by several servers, one restores or creates, and counts are right", async () => {
    const { environment, server } = await started(engine);
    const other = await startAdministration(environment);
    for (let round = 0; round < 6; round += 1) {
      const anna = await server.user({ userName: "anna" });
      await remove(server, anna);
      const answers = await Promise.all([
        restored(server, "User", anna.id),
        server.call("POST", "/Users", { body: { schemas: anna.body["schemas"] ?? [], userName: "Anna" } }),
        restored(other, "User", anna.id),
        other.call("POST", "/Users", { body: { schemas: anna.body["schemas"] ?? [], userName: "anna" } }),
      ]);
      const done = answers.filter(({ status }) => status < 300);
      expect(done, JSON.stringify(answers.map(({ text }) => text))).toHaveLength(1);
      for (const { status } of answers) expect([200, 201, 409, 412]).toContain(status);
      const id = String(done[0]?.body["id"]);
      expect(await idsOf(server, "/Users")).toEqual([1, [id]]);
      expect(await idsOf(server, '/Users?filter=userName%20eq%20"anna"')).toEqual([1, [id]]);
      await remove(server, { path: `/Users/${id}` });
    }
  });

  test("never brings back who is erased, though both are asked at once", async () => {
    const { database, environment, server } = await started(engine);
    const other = await startAdministration(environment);
    for (let round = 0; round < 4; round += 1) {
      const person = await server.user({ userName: `${MARK}-${round}`, displayName: `Anna ${MARK}` });
      await remove(server, person);
      const [erased, ...tries] = await Promise.all([
        server.send("DELETE", `/tenants/default/subjects/${person.id}`),
        restored(other, "User", person.id),
        restored(server, "User", person.id),
      ]);
      expect(erased.status, erased.text).toBe(200);
      for (const { status, text } of tries) expect([200, 404, 409], text).toContain(status);
      expect((await server.call("GET", person.path)).status).toBe(404);
      expect((await restored(server, "User", person.id)).status).toBe(404);
    }
    expect(await tablesWith(database, MARK)).toEqual([]);
    expect((await server.send("GET", DELETED)).body).toEqual({ deleted: [], next: null });
  });

  test("is done by commands, on the database and at a server alike", async () => {
    const { environment, server } = await started(engine);
    const anna = await server.user({ userName: "anna" });
    const team = await server.group({ displayName: "team", members: [{ value: anna.id }, { value: "z" }] });
    await remove(server, anna);
    await remove(server, team);
    let told = 4;
    const remote = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_DATABASE_URL: "sqlite:/nowhere/at/all.db" };
    for (const [of, more] of [
      [environment, []],
      [remote, ["--url", server.origin]],
    ] as const) {
      const scim = (...args: string[]) => printed(["deleted", ...args, ...more], of);
      await changes(server, told);
      told += 2;
      const list = await scim("list");
      expect(list.stdout).toMatch(new RegExp(`Group ${team.id} +default \\(\\S+\\) +20`));
      expect(list.stdout.indexOf(team.id)).toBeLessThan(list.stdout.indexOf(anna.id));
      expect((await scim("list", "--limit", "1")).stdout).not.toContain(anna.id);
      const users = await scim("list", "--type", "User", "--since", "1h");
      expect([users.stdout.includes(anna.id), users.stdout.includes(team.id)]).toEqual([true, false]);
      expect((await scim("list", "--before", "1h")).stdout).toBe("Nothing of what is asked for is kept.\n");
      await expect(scim("list", "--since", "soon")).rejects.toMatchObject({ exitCode: EXIT.usage });
      const shown = (await scim("show", "Group", team.id, "--limit", "1")).stdout;
      expect(shown).toContain("It can be restored now.");
      expect(shown).toContain(`2 of Group members.\n  members  ${anna.id}\n  and 1 more`);
      const done = await scim("restore", "Group", team.id);
      expect(done.stdout).toContain(`Restored Group ${team.id}`);
      expect(done.stdout).toContain("holds 2 of Group members");
      const user = await scim("show", "User", anna.id);
      expect(user.stdout).toContain(`1 of Group members.\n  Group ${team.id}  members\n`);
      await expect(scim("restore", "Group", team.id)).rejects.toMatchObject({
        message: expect.stringContaining("is not deleted"),
      });
      await changes(server, told - 1);
      const beside = ["--limit", "1000", ...more];
      for (const command of ["audit", "events"])
        expect((await printed([command, "list", ...beside], of)).stdout).toContain(
          `restored  Group ${team.id}`,
        );
      await remove(server, team);
    }
    const log = await server.send("GET", `/tenants/default/audit?type=Group&id=${team.id}`);
    expect(log.text).toContain('"command":"scim deleted restore"');
    expect((await server.ask("GET", "/audit?limit=1000")).text).toContain("scim deleted restore");
  });
});
