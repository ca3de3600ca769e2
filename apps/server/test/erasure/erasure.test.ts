import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { EXIT } from "../../src/failure.ts";
import { ADMIN_TOKEN, startAdministered, type AdministeredServer } from "../admin/admin-client.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { ENTERPRISE, type Made } from "../over-http/client.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { filesWith, MARK, tablesWith } from "./remains.ts";

const SUBJECTS = "/tenants/default/subjects";

interface Told {
  readonly database: TestDatabase;
  readonly environment: Readonly<Record<string, string>>;
  readonly server: AdministeredServer;
  readonly person: Made;
  readonly report: Made;
  readonly group: Made;
  /** What the server logged so far. */
  readonly log: () => string;
}

/** A person who has been told of everywhere: as a user who was changed, a manager and a member with a display name. */
async function told(database: TestDatabase): Promise<Told> {
  const list = join(newFolder(), "erasures.jsonl");
  const environment = { ...database.environment, SCIM_ERASURE_LIST: list };
  let written = "";
  const stream = { write: (line: string) => void (written += line) };
  const server = await startAdministered(environment, pino({ level: "trace" }, stream));
  const person = await server.user({
    userName: `former.${MARK}@example.com`,
    externalId: `${MARK}-1`,
    displayName: `Anna ${MARK}`,
    name: { familyName: MARK, givenName: "Anna" },
    emails: [{ value: `work.${MARK}@example.com`, type: "work" }],
  });
  const manager = { value: person.id };
  const report = await server.user({ userName: "bo", nickName: "Bobo", [ENTERPRISE]: { manager } });
  // No schema of this server keeps a name beside a reference; one of an application may.
  const beside = `"value":"${person.id}","displayName":"Boss ${MARK}"`;
  await database.query(
    `UPDATE resources SET body = replace(body, '"value":"${person.id}"', '${beside}') WHERE id = '${report.id}'`,
  );
  const group = await server.group({
    displayName: "team",
    members: [
      { value: person.id, display: `Anna ${MARK}` },
      { value: report.id, display: "Bo" },
    ],
  });
  const filter = encodeURIComponent(`userName eq "${MARK}@example.com" or nickName eq "${MARK}"`);
  await server.call("GET", `/Users?filter=${filter}`);
  await server.patch(person.path, [
    { op: "replace", path: "name.familyName", value: `New ${MARK}` },
    { op: "replace", path: "userName", value: `${MARK}@example.com` },
  ]);
  await server.patch(report.path, [{ op: "replace", path: "nickName", value: "Bob" }]);
  await positioned(server, 5);
  return { database, environment, server, person, report, group, log: () => written };
}

async function positioned(server: AdministeredServer, count: number): Promise<void> {
  await eventually(async () => {
    expect((await server.ask("GET", "/changes")).body["next"]).toBeGreaterThanOrEqual(count);
  });
}

describe.each(ENGINES)("an erasure on $name", (engine) => {
  test("leaves no text of the person in any table, file or log; others, and the chain, stay", async () => {
    const { database, environment, server, person, report, group, log } = await told(await engine.make());
    const names = `${MARK.toUpperCase()}@example.com,former.${MARK}@example.com,bo`;
    await printed(
      ["connection", "change", "default", "--guard=observe", `--guard-named=${names}`],
      environment,
    );
    expect(await tablesWith(database, MARK)).toEqual([
      "attribute_index",
      "connections",
      "events",
      "reference_values",
      "resources",
      "unique_values",
    ]);
    const chain = await server.ask("GET", "/tenants/default/audit?limit=5");
    await database.query(`INSERT INTO guard_held (tenant, connection, measure, type, resource, id, first_at, last_at,
      tries, changes, removed) VALUES ('default', 'default', 'deletions', 'User', '${person.id}', 'h', '', '', 1, '', '')`);

    await database.query(`INSERT INTO staged_references (tenant, stage, path, position, value, rest)
      VALUES ('default', 's', 'members', 0, '${person.id}', '{"display":"${MARK}"}')`);

    // Who asks for it by a name and not by an id finds nothing, and leaves the name nowhere.
    const named = `${MARK}@corp.example`;
    expect((await server.ask("DELETE", `${SUBJECTS}/${named}`)).status).toBe(404);
    expect((await server.ask("DELETE", `${SUBJECTS}/${named}?by=${MARK}`)).status).toBe(400);
    await expect(printed(["erase", named], environment)).rejects.toThrow("named by the 'id' of its resource");

    const answer = await server.ask("DELETE", `${SUBJECTS}/${person.id}`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ tenant: "default", resources: 1, copies: 2, secrets: 1 });
    await positioned(server, 6);

    expect(await tablesWith(database, MARK)).toEqual([]);
    const connection = await server.ask("GET", "/tenants/default/connections/default");
    expect(connection.body).toMatchObject({ guard: { named: ["bo"] } });
    const path = environment["SCIM_DATABASE_URL"]?.replace(/^sqlite:/, "") ?? "";
    if (engine.name === "SQLite") expect(filesWith(dirname(path), MARK)).toEqual([]);
    expect(filesWith(dirname(environment["SCIM_ERASURE_LIST"] ?? ""), MARK)).toEqual([]);
    expect(log().toLowerCase()).not.toContain(MARK);
    expect((await server.call("GET", person.path)).status).toBe(404);

    const other = await server.call("GET", report.path);
    expect(other.body).toMatchObject({ nickName: "Bob", [ENTERPRISE]: { manager: { value: person.id } } });
    expect(other.headers.etag).not.toBe(report.tag);
    const team = await server.call("GET", group.path);
    expect(team.body["members"]).toMatchObject([{ value: person.id }, { value: report.id, display: "Bo" }]);
    expect(team.headers.etag).not.toBe(group.tag);
    expect(
      (await server.call("GET", `/Users?filter=${encodeURIComponent('userName eq "bo"')}`)).body,
    ).toMatchObject({
      totalResults: 1,
    });

    const kept = await server.ask("GET", "/tenants/default/audit?limit=5");
    expect(kept.body).toEqual(chain.body);
    const verified = await printed(["audit", "verify"], environment);
    expect(verified).toMatchObject({ code: EXIT.ok, stdout: expect.stringContaining("6 entries") });
    expect(await database.query(`SELECT id FROM subject_secrets WHERE id = '${person.id}'`)).toEqual([]);
    expect(await database.query("SELECT resource FROM guard_held")).toEqual([]);
    await eventually(async () => {
      expect((await server.ask("GET", "/audit")).text).toContain('"Erasure"');
    });

    expect((await server.ask("GET", "/audit")).text).not.toContain(person.id);

    const again = await server.ask("DELETE", `/subjects/${person.id}?tenant=default`);
    expect(again).toMatchObject({ status: 200, body: { resources: 0, copies: 0, events: 0, secrets: 0 } });
    expect((await server.ask("DELETE", `${SUBJECTS}/nobody`)).status).toBe(404);
    // As where all of it is older than it is kept: the list of erasures alone tells of it.
    for (const table of ["events", "audit_entries", "request_log", "erased_lately"])
      await database.query(`DELETE FROM ${table} WHERE tenant = 'default'`);
    const late = await server.ask("DELETE", `${SUBJECTS}/${person.id}?type=User`);
    expect(late).toMatchObject({ status: 200, body: { resources: 0, copies: 0, events: 0, secrets: 0 } });
  });

  test("is ended by the next start, or within about an hour, where the process that did it was killed, whatever a guard holds", async () => {
    const { database, environment, server, person, group, log } = await told(await engine.make());
    await printed(
      ["connection", "change", "default", "--guard=hold", "--guard-bound=0,0,60", "--guard-named="],
      environment,
    );
    await server.stop();
    // What a process leaves that is killed at its first steps.
    await database.query(
      `INSERT INTO erased_lately (tenant, id, at) VALUES ('default', '${person.id}', '9020-01-01T00:00:00.000Z')`,
    );
    const next = await startAdministered(environment, pino({ level: "silent" }));
    await eventually(async () => expect(await tablesWith(database, MARK)).toEqual([]));
    await eventually(async () =>
      expect((await next.ask("GET", "/tenants/default/erasures")).body).toMatchObject({
        erasures: [{ tenant: "default" }],
      }),
    );
    expect((await next.call("GET", person.path)).status).toBe(404);
    expect((await next.call("GET", group.path)).body["members"]).toHaveLength(2);
    expect(await database.query("SELECT resource FROM guard_held")).toEqual([]);
    expect(log()).not.toContain(person.id);
  });

  test("is done anew where an old backup is restored, before anybody is served", async () => {
    const { database, environment, server, person, report } = await told(await engine.make());
    await server.stop();
    const named = ["--guard=observe", `--guard-named=${MARK}@example.com`];
    await printed(["connection", "change", "default", ...named], environment);
    const backup = await database.copy();
    // As where they are older than they are kept: its row alone tells its name then.
    await database.query(`DELETE FROM events WHERE tenant = 'default' AND id = '${person.id}'`);
    const erased = await printed(["erase", person.id, "--json"], environment);
    expect(JSON.parse(erased.stdout)).toMatchObject({ tenant: "default", resources: 1, backups: [] });
    expect(await tablesWith(database, MARK)).toEqual([]);
    const list = readFileSync(environment["SCIM_ERASURE_LIST"] ?? "", "utf8");
    expect((await printed(["erase", "--list"], environment)).stdout).toBe(list);

    expect(await tablesWith(backup, MARK)).toContain("resources");
    let written = "";
    const stream = { write: (line: string) => void (written += line) };
    const restored = await startAdministered({ ...environment, ...backup.environment }, pino({}, stream));
    expect(written).toContain('"again":1,"msg":"the database lacked erasures');
    expect((await restored.call("GET", person.path)).status).toBe(404);
    expect((await restored.call("GET", report.path)).status).toBe(200);
    await restored.stop();
    expect(await tablesWith(backup, MARK)).toEqual([]);
    const replayed = await printed(["erase", "--replay", environment["SCIM_ERASURE_LIST"] ?? ""], {
      ...environment,
      ...backup.environment,
    });
    expect(replayed.stdout).toContain("0 entries were new");
  });
});

test.each(ENGINES)(
  "an erasure takes requests for a person's memberships out of the request log on $name",
  async ({ make }) => {
    const { environment } = await make();
    const server = await startAdministered({ ...environment, SCIM_GROUP_MEMBERSHIPS: "on" });
    const { id } = await server.user({ userName: "anna" });
    const { id: other } = await server.user({ userName: "bo" });
    const members = [{ value: id }, { value: other }];
    const group = await server.group({ displayName: "team", members });
    for (const member of [id, other]) {
      const path = `/GroupMemberships/${group.id}~${member}`;
      expect((await server.call("GET", `${path}?attributes=group`)).status).toBe(200);
      expect((await server.call("DELETE", path)).status).toBe(204);
    }
    const log = async () => (await server.ask("GET", "/tenants/default/requests?limit=100")).text;
    await eventually(async () => expect((await log()).split(`${group.id}~`)).toHaveLength(5));
    expect((await server.ask("DELETE", `${SUBJECTS}/${id}`)).body).toMatchObject({
      resources: 1,
      requests: 4,
    });
    const left = await log();
    expect(left).not.toContain(id);
    expect(left.split(`${group.id}~${other}`)).toHaveLength(3);
    await server.stop();
  },
);

test("an erasure that the list cannot tell of is answered 503, and nothing of it is done", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");
  const server = await startAdministered({
    SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`,
    SCIM_ERASURE_LIST: join(folder, "file", "erasures.jsonl"),
  });
  const { id, path } = await server.user({ userName: "anna" });
  const { status, headers, text } = await server.ask("DELETE", `${SUBJECTS}/${id}`);
  expect([status, headers["retry-after"]]).toEqual([503, "5"]);
  expect(text).toContain("The list of erasures cannot be written: nothing was erased.");
  expect(text).not.toContain(folder);
  expect((await server.call("GET", path)).status).toBe(200);
});

describe("scim erase", () => {
  test("erases, lists and erases again at a server whose database was restored under it", async () => {
    const [sqlite] = ENGINES;
    if (sqlite === undefined) throw new TypeError("There is no SQLite");
    const { database, environment, server, person } = await told(await sqlite.make());
    const backup = await database.copy();
    const at = (origin: string, ...args: string[]) =>
      printed(["erase", ...args, "--url", origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    expect((await at(server.origin, "--list")).stdout).toBe("");
    expect((await at(server.origin, person.id)).stdout).toMatch(/^Erased:\n {2}1 resource with/);
    const { stdout: list } = await at(server.origin, "--list");
    expect(list).toBe(readFileSync(environment["SCIM_ERASURE_LIST"] ?? "", "utf8"));
    await server.stop();

    const file = join(newFolder(), "erased.jsonl");
    // Of a tenant that came or went meanwhile, the server has nobody.
    writeFileSync(file, `${list.replace('"default"', '"acme"')}${list}`);
    const lacks = join(newFolder(), "none.jsonl");
    const restored = await startAdministered({
      ...environment,
      ...backup.environment,
      SCIM_ERASURE_LIST: lacks,
    });
    expect((await restored.call("GET", person.path)).status).toBe(200);
    expect(JSON.parse((await at(restored.origin, "--replay", file, "--json")).stdout)).toEqual({
      file,
      lacking: 1,
      missingTenants: ["acme"],
    });
    expect((await restored.call("GET", person.path)).status).toBe(404);
    expect(await at(restored.origin, "--replay", file)).toMatchObject({
      stdout: "0 entries were new to the database.\n",
      stderr: "Nothing was erased of tenant 'acme', which the server does not have.\n",
    });
    expect(await tablesWith(backup, MARK)).toEqual([]);
    await expect.poll(async () => (await restored.ask("GET", "/audit")).text).toContain('"Erasure"');

    writeFileSync(file, list.replace('"key":"1"', '"key":"7"').replace(/"at":"..../, '"at":"2999'));
    await expect(at(restored.origin, "--replay", file)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining("key '7', which is not among the secret keys"),
    });
    await expect(at(restored.origin, "--list", "--tenant", "nobody")).rejects.toMatchObject({
      message: expect.stringContaining("There is no tenant 'nobody'"),
    });
  });

  test("refuses whom it does not know, a list that is none, and a list made with a key that is gone", async () => {
    const [sqlite] = ENGINES;
    if (sqlite === undefined) throw new TypeError("There is no SQLite");
    const { environment, server, person } = await told(await sqlite.make());
    await server.call("DELETE", person.path);
    await server.stop();
    const scim = (...args: string[]) => printed(["erase", ...args], environment);
    await expect(scim("anna")).rejects.toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringContaining("Nothing is kept of 'anna'"),
    });
    for (const args of [[], [person.id, "more"], [person.id, "--list"], ["--tenant=v2", person.id]])
      await expect(scim(...args)).rejects.toMatchObject({ exitCode: EXIT.usage });
    expect((await scim(person.id)).stdout).toMatch(/^Erased:\n {2}1 resource with/);

    const keys = `2:${Buffer.alloc(32, 9).toString("base64url")}`;
    await expect(
      startAdministered({ ...environment, SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: keys }),
    ).rejects.toMatchObject({ message: expect.stringContaining("key '1'") });
    await expect(scim("--replay", import.meta.filename)).rejects.toMatchObject({
      message: expect.stringContaining("line 1: no entry"),
    });
    await expect(scim("--replay", import.meta.dirname)).rejects.toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringMatching(/^The list of erasures .* cannot be read: EISDIR/),
    });
  });
});
