import { writeFileSync } from "node:fs";
import { BULK_REQUEST_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { PATCH_OP } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { admin, ADMIN_TOKEN, logged } from "./admin.ts";

describe.each(ENGINES)("scim profile diff on $name", (engine) => {
  test("lists the answers of a connection that another profile would change, and writes nothing", async () => {
    const { environment } = await engine.make();
    const server = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const { path } = await server.user({ userName: "ines@corp.example", active: true });
    const disable = { op: "replace", path: "active", value: "False" };
    const rename = { op: "replace", path: "title", value: "Head" };
    for (const operation of [disable, rename]) {
      const body = { schemas: [PATCH_OP], Operations: [operation] };
      expect((await server.call("PATCH", path, { body })).status).toBe(200);
    }
    await logged(server, 3);
    const before = await server.call("GET", path);
    await logged(server, 4);
    await server.stop();

    const diff = ["profile", "diff", "tolerant", "tolerant,-string-booleans", "--connection", "default"];
    const { code, stdout: text } = await printed(diff, environment);
    expect(code).toBe(1);
    expect(text).toContain("Switches turned on: none; turned off: string-booleans.\n");
    expect(text).toMatch(/ PATCH \/Users\/\{id\} \(.+\)\n {2}status: 200 would become 400\n/);
    expect(text).toContain("1 of 4 requests would be answered in another way; 0 were not compared.\n");
    expect(text).not.toContain("ines");

    const asJson = await printed([...diff, "--json"], environment);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      switches: { on: [], off: ["string-booleans"] },
      requests: 4,
      changed: [{ method: "PATCH", route: "/Users/{id}" }],
      skipped: [],
    });

    const same = ["profile", "diff", "tolerant", "okta@2026-11", "--connection", "default"];
    expect(await printed(same, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 of 4 requests would be answered in another way"),
    });

    const again = await startInProcess(environment);
    expect((await again.call("GET", path)).headers["etag"]).toBe(before.headers["etag"]);
    expect(before.headers["etag"]).toMatch(/^W\//);
  });
});

test("scim profile diff sends what no log holds as it was sent, on the database and at a server", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_TOKEN: newToken(),
  };
  const server = await startInProcess(environment);
  const { path, tag } = await server.user({ userName: "ines@corp.example" });
  const bare = { Authorization: environment.SCIM_TOKEN };
  expect((await server.call("GET", path, { headers: bare })).status).toBe(200);
  const rename = [{ op: "replace", path: "title", value: "Head" }];
  expect((await server.patch(path, rename, { "If-Match": tag })).status).toBe(200);
  expect((await server.call("POST", "/Users", { body: '{"userName":' })).status).toBe(400);
  const list = `/Users?filter=${encodeURIComponent("userName eq 'ines@corp.example'")}`;
  expect((await server.call("GET", list)).status).toBe(200);
  await logged(server, 5);
  await eventually(async () => expect((await admin(server, "/changes")).text).toContain('"patched"'));

  const flipped = "tolerant,-bare-token,-lenient-literals,require-version";
  const diff = ["profile", "diff", "tolerant", flipped, "--connection", "default"];
  const onDatabase = await printed(diff, environment);
  expect(onDatabase.stdout).toMatch(
    / GET \/Users\/\{id\} \(.+\)\n {2}status: 200 would become 401\n(?: {2}body.*\n)+.+ GET \/Users \(.+\)\n {2}status: 200 would become 400\n(?: {2}body.*\n)+.+ was not compared: The body .+\n2 of 5 requests would be answered in another way; 1 was not compared\.\n$/,
  );
  const atServer = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
  expect(await printed([...diff, "--url", server.origin], atServer)).toEqual(onDatabase);

  const typo = ["profile", "diff", "tolerant", "strict", "--connection", "defualt"];
  for (const where of [printed(typo, environment), printed([...typo, "--url", server.origin], atServer)])
    await expect(where).rejects.toThrow("Tenant 'default' has no connection 'defualt'.");
});

/** Settings of a service with a resource type of its own, and the URN of its schema. */
function withType(name: string, attributes: readonly object[], annotations: object) {
  const schemas = newFolder();
  const id = `urn:example:params:scim:schemas:core:2.0:${name}`;
  const type = { name, endpoint: `/${name}s`, schema: id, annotations };
  writeFileSync(`${schemas}/schema.json`, JSON.stringify({ id, name, attributes }));
  writeFileSync(`${schemas}/type.json`, JSON.stringify(type));
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_SCHEMAS: schemas,
  };
  return { id, environment };
}

test("scim profile diff sends a template that a client did not fill in as it was sent", async () => {
  const attributes = [
    { name: "label", type: "string" },
    { name: "free", type: "boolean" },
  ];
  const annotations = { label: { sensitivity: "none" }, free: { sensitivity: "none" } };
  const { id, environment } = withType("Seat", attributes, annotations);
  const server = await startInProcess(environment);
  const body = { schemas: [id], label: "${user.id}", free: "True" };
  expect((await server.call("POST", "/Seats", { body })).status).toBe(201);
  await logged(server, 1);
  await server.stop();
  const diff = ["profile", "diff", "tolerant", "tolerant,-string-booleans", "--connection", "default"];
  expect((await printed(diff, environment)).stdout).toMatch(/\n {2}status: 201 would become 400\n/);
});

test("scim profile diff tells that numbers would be refused which a client sends as texts", async () => {
  const attributes = [
    { name: "height", type: "integer" },
    { name: "paid", type: "boolean" },
  ];
  const { id, environment } = withType("Desk", attributes, { paid: { sensitivity: "personal" } });
  const server = await startInProcess(environment);
  for (const sent of [{ height: "72" }, { paid: "True" }, { height: 72 }])
    expect((await server.call("POST", "/Desks", { body: { schemas: [id], ...sent } })).status).toBe(201);
  await logged(server, 3);
  await server.stop();
  const flipped = "tolerant,-string-numbers,-string-booleans";
  const diff = ["profile", "diff", "tolerant", flipped, "--connection", "default"];
  const { stdout } = await printed(diff, environment);
  expect(stdout.match(/\n {2}status: 201 would become 400\n/g)).toHaveLength(2);
  expect(stdout).toMatch(/2 of 3 requests would be answered in another way; 0 were not compared\.\n$/);
});

test("scim profile diff compares requests for memberships, whatever a new service calls their group", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GROUP_MEMBERSHIPS: "on",
  };
  const server = await startInProcess(environment);
  const { id: group } = await server.group({ displayName: "Blue", members: [{ value: "u1" }] });
  expect((await server.call("GET", "/GroupMemberships")).status).toBe(200);
  expect((await server.call("GET", `/GroupMemberships/${group}~u1`)).status).toBe(200);
  expect((await server.call("DELETE", `/GroupMemberships/${group}~u1`)).status).toBe(204);
  await logged(server, 4);
  await server.stop();
  const diff = ["profile", "diff", "tolerant", "strict", "--connection", "default"];
  expect(await printed(diff, environment)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("0 of 4 requests would be answered in another way; 0 were not compared."),
  });
});

test("scim profile diff goes by the limits of the tenant, on the database and at a server", async () => {
  const environment = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`, SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
  await printed(["token", "create"], environment);
  await printed(["tenant", "change", "default", "--limit", "filter.maxResults=5"], environment);
  const server = await startInProcess(environment);
  for (const count of [5, 6])
    expect((await server.call("GET", `/Users?cursor&count=${count}`)).status).toBe(200);
  await logged(server, 2);

  const diff = ["profile", "diff", "tolerant", "tolerant,-excessive-count", "--connection", "default"];
  const onDatabase = await printed(diff, environment);
  expect(onDatabase.stdout).toMatch(
    /^Switches .+\n.+ GET \/Users \(.+\)\n {2}status: 200 would become 400\n(?: {2}body.*\n)+1 of 2 requests would be answered in another way; 0 were not compared\.\n$/,
  );
  const atServer = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
  expect(await printed([...diff, "--url", server.origin], atServer)).toEqual(onDatabase);
});

/** A database whose log holds what was sent, under a profile. */
async function loggedUnder(profile: string, send: (server: InProcessServer) => Promise<number>) {
  const environment = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`, SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
  const server = await startInProcess({ ...environment, SCIM_PROFILE: profile });
  await logged(server, await send(server));
  await eventually(async () => expect((await admin(server, "/changes")).text).toContain('"created"'));
  await server.stop();
  return environment;
}

test("scim profile diff makes what a request found there, also where the other profile would refuse to make it", async () => {
  const environment = await loggedUnder("tolerant", async (server) => {
    const emails = [{ value: "ines@corp.example", type: "private" }];
    const { path } = await server.user({ userName: "ines", emails });
    expect((await server.patch(path, [{ op: "replace", path: "active", value: "False" }])).status).toBe(200);
    return 2;
  });
  const { code, stdout } = await printed(
    ["profile", "diff", "tolerant", "strict", "--connection", "default"],
    environment,
  );
  expect(stdout).toMatch(/ PATCH \/Users\/\{id\} \(.+\)\n {2}status: 200 would become 400\n/);
  expect(stdout).toContain("2 of 2 requests would be answered in another way; 0 were not compared.\n");
  expect(code).toBe(1);
});

test("scim profile diff ends with 1 where a request could not be compared, though no other would be answered otherwise", async () => {
  const environment = await loggedUnder("tolerant", async (server) => {
    await server.user({ userName: "ines" });
    expect((await server.call("POST", "/Users", { body: '{"userName":' })).status).toBe(400);
    return 2;
  });
  expect(
    await printed(["profile", "diff", "tolerant", "okta", "--connection", "default"], environment),
  ).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      "0 of 2 requests would be answered in another way; 1 was not compared.\n",
    ),
  });
});

test("scim profile diff names rules of uniqueness that are turned on as not compared", async () => {
  const environment = await loggedUnder("strict", async (server) => {
    await server.group({ displayName: "Pioneers" });
    await server.group({ displayName: "Pioneers" });
    return 2;
  });
  const diff = ["profile", "diff", "strict", "strict,group-name-unique", "--connection", "default"];
  const text = await printed(diff, environment);
  expect(text).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^group-name-unique was not compared: .+\n0 of 2 requests would be answered in another way; 0 were not compared\.$/m,
    ),
  });
  const { stdout } = await printed([...diff, "--json"], environment);
  expect(JSON.parse(stdout)).toMatchObject({
    changed: [],
    skipped: [],
    notCompared: [{ switch: "group-name-unique", reason: expect.any(String) }],
  });
});

test("scim profile diff names as not compared what a new service refuses and the log has otherwise", async () => {
  const environment = await loggedUnder("tolerant", async (server) => {
    const { id } = await server.user({ userName: "ines" });
    await server.user({ userName: "otto" });
    const page = await server.call("GET", "/Users?cursor=&count=1");
    const next = encodeURIComponent(String(page.body["nextCursor"]));
    expect((await server.call("GET", `/Users?cursor=${next}&count=1`)).status).toBe(200);
    const disable = { op: "replace", path: "active", value: "False" };
    const data = { schemas: [PATCH_OP], Operations: [disable] };
    const operations = [{ method: "PATCH", path: `/Users/${id}`, data }];
    const bulk = await server.call("POST", "/Bulk", {
      body: { schemas: [BULK_REQUEST_URN], Operations: operations },
    });
    expect(bulk.body["Operations"]).toMatchObject([{ status: "200" }]);
    return 5;
  });
  const { code, stdout } = await printed(
    ["profile", "diff", "tolerant", "tolerant,-string-booleans", "--connection", "default", "--json"],
    environment,
  );
  expect(code).toBe(1);
  const reason = expect.stringContaining("refuses what the log has otherwise");
  expect(JSON.parse(stdout)).toMatchObject({ requests: 5, changed: [], skipped: [{ reason }, { reason }] });
});

test("scim profile diff compares two profiles of which the connection has neither", async () => {
  const environment = await loggedUnder("tolerant", async (server) => {
    const { path, tag } = await server.user({ userName: "ines" });
    expect((await server.patch(path, [{ op: "replace", path: "active", value: "False" }])).status).toBe(200);
    expect((await server.call("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(200);
    return 3;
  });
  const diff = ["profile", "diff", "strict", "strict@2026-11", "--connection", "default"];
  expect(await printed(diff, environment)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("0 of 3 requests would be answered in another way; 0 were not compared."),
  });
});

test("scim profile diff tells of members that an answer would lose, though their values differ by service", async () => {
  const environment = await loggedUnder("tolerant", async (server) => {
    const { path } = await server.user({ userName: "ines" });
    const late = await server.patch(path, [{ op: "replace", path: "title", value: "Head" }], {
      "If-Match": 'W/"past"',
    });
    expect(late.status).toBe(412);
    return 2;
  });
  const { stdout } = await printed(
    ["profile", "diff", "tolerant", "tolerant,plain-answers", "--connection", "default"],
    environment,
  );
  expect(stdout).toMatch(
    / PATCH \/Users\/\{id\} \(.+\)\n {2}body\.expectedVersion: "…" would become nothing\n {2}body\.currentVersion: "…" would become nothing\n1 of 2 /,
  );
});

test.each([
  [["diff", "tolerant", "strict"], "--connection"],
  [["diff", "tolerant", "nothing", "--connection", "default"], "There is no profile 'nothing'"],
  [["show", "tolerant,no-such-switch"], "There is no switch 'no-such-switch'"],
  [["diff", "tolerant"], "scim profile diff OLD NEW"],
  [["diff", "tolerant", "strict", "--connection", "default", "--limit", "0"], "--limit"],
])("scim profile %s is refused in words", async (args, words) => {
  const environment = { SCIM_DATABASE_URL: "sqlite::memory:" };
  await expect(runCommand(["profile", ...args], environment)).rejects.toThrow(words);
});

test("scim profile list and show tell what there is", async () => {
  const list = await printed(["profile", "list"], {});
  expect(list.stdout).toMatch(/^entra@2026-11 +entra@2026-11 +\d+$/m);
  const shown = await printed(["profile", "show", "entra", "--json"], {});
  expect(JSON.parse(shown.stdout)).toMatchObject({
    name: "entra@2026-11",
    switches: expect.arrayContaining([
      { name: "no-content-for-group-patch", does: expect.stringMatching(/\.$/) },
    ]),
  });
});
