import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { GROUP_MEMBERSHIP_URN, type JsonObject, SEARCH_REQUEST_URN } from "@scim/schemas";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { newFolder } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { ENTERPRISE, PATCH_OP, USER } from "../over-http/client.ts";
import { ENGINES, SQLITE } from "../over-http/engines.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN, logged } from "./admin.ts";

const PERSONAL = /ines|okafor|corp\.example|Team Blue/i;

const INES = {
  userName: "ines@corp.example",
  name: { givenName: "Ines", familyName: "Okafor" },
  emails: [{ type: "work", value: "ines@corp.example", primary: true }],
} as const;

function patch(...Operations: readonly JsonObject[]): JsonObject {
  return { schemas: [PATCH_OP], Operations };
}

/** Requests that a case is made of, each with what it is answered. */
async function provision(server: InProcessServer): Promise<readonly (readonly [string, number])[]> {
  const { id, path } = await server.user(INES);
  const other = await server.user({ userName: "boss" });
  const group = await server.group({ displayName: "Team Blue", members: [{ value: id }] });
  const filter = encodeURIComponent('emails[type eq "work"].value eq "INES@corp.example"');
  const anywhere = 'userName eq "Ines@CORP.example"';
  const stale = { "If-Match": 'W/"1-gone"' };
  const requests: readonly (readonly [string, string, JsonObject | null, number, Record<string, string>?])[] =
    [
      ["PATCH", path, patch({ op: "Replace", path: "active", value: "False" }), 200],
      ["PATCH", path, patch({ op: "add", path: 'emails[type eq "home"].value', value: "ines@home" }), 200],
      ["PATCH", path, patch({ op: "add", path: "no.such[thing", value: "Ines" }), 400],
      ["PATCH", group.path, patch({ op: "remove", path: `members[value eq "${id}"]` }), 200],
      ["PATCH", group.path, patch({ op: "add", path: "members", value: [{ value: id }] }), 200],
      ["PATCH", group.path, patch({ op: "add", path: "members", value: [{ value: "ines-of-old" }] }), 200],
      ["PATCH", group.path, patch({ op: "remove", path: 'members[value eq "ines-of-old"]' }), 200],
      ["PATCH", path, patch({ op: "Add", path: `${ENTERPRISE}:manager`, value: other.id }), 200],
      ["PATCH", path, patch({ op: "Replace", path: `${ENTERPRISE}:manager`, value: "ines-boss" }), 200],
      ["GET", `/Users?filter=${filter}&count=5`, null, 200],
      ["GET", path, null, 200],
      ["GET", "/Users?attributes=id", null, 200],
      [
        "GET",
        `/Users?filter=${encodeURIComponent('userName eq "Ines@CORP.example"')}&attributes=id`,
        null,
        200,
      ],
      ["GET", `/?filter=${encodeURIComponent(anywhere)}`, null, 200],
      ["POST", "/.search", { schemas: [SEARCH_REQUEST_URN], filter: anywhere }, 200],
      ["PATCH", path, patch({ op: "replace", path: "active", value: true }), 412, stale],
      ["GET", `${group.path}?attributes=members`, null, 200],
      ["GET", "/Users/no-such-ines", null, 404],
      ["POST", "/Users", { schemas: [USER], ...INES }, 409],
      ["PATCH", other.path, patch({ op: "replace", path: "userName", value: INES.userName }), 409],
      ["PATCH", other.path, patch({ op: "replace", value: { [`${USER}:userName`]: INES.userName } }), 409],
      ["PUT", other.path, { schemas: [USER], ...INES }, 409],
      ["POST", "/Users", { schemas: [USER], ...INES, userName: "ines2" }, 201],
      ["PUT", path, { schemas: [USER], ...INES, title: "Ines" }, 200],
      ["DELETE", path, null, 204],
    ];
  for (const [method, address, body, status, headers = {}] of requests) {
    const answer = await server.call(method, address, body === null ? {} : { body, headers });
    expect(answer.status, answer.text).toBe(status);
  }
  return requests.map(([method, , , status]) => [method, status]);
}

async function changed(server: InProcessServer): Promise<string> {
  const { text } = await admin(server, "/changes?limit=1000");
  return text;
}

const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
  }
  return () => vi.restoreAllMocks();
});

describe.each(ENGINES)("cases of the request log on $name", (engine) => {
  test("are answered as the request was, by a new service, and hold nothing of a person", async () => {
    const { environment } = await engine.make();
    const server = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    const sent = await provision(server);
    const entries = (await logged(server, sent.length + 3)).toReversed().slice(3);
    expect(entries.map(({ method, status }) => [method, status])).toEqual(sent);
    // What was before a request is told from events, which have a position some moments after their change.
    await eventually(async () => expect(await changed(server)).toContain('"deleted"'));
    await server.stop();

    const folder = newFolder();
    for (const [at, { id }] of entries.entries()) {
      const file = join(folder, `${at}.json`);
      expect(await runCommand(["case", "export", String(id), file], environment)).toBe(0);
      expect(readFileSync(file, "utf8")).not.toMatch(PERSONAL);
      expect(await runCommand(["case", "run", file], {}), `${at}: ${printed.join("")}`).toBe(0);
    }
    const [first] = entries;
    const again = runCommand(["case", "export", String(first?.["id"]), join(folder, "0.json")], environment);
    await expect(again).rejects.toThrow(/0\.json exists: name another file, or remove it\./);
    expect(printed).toEqual(sent.map(([, status]) => `As expected: ${status}.\n`));
  });
});

test("cases of memberships hold the groups that they are of, on the database and at a server", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GROUP_MEMBERSHIPS: "on",
  };
  const server = await startInProcess(environment);
  const { id: user } = await server.user(INES);
  const { id: group } = await server.group({ displayName: "Team Blue", members: [{ value: user }] });
  const row = (owner: string, value: string) => ({
    schemas: [GROUP_MEMBERSHIP_URN],
    group: { value: owner },
    member: { value, display: "Ines" },
  });
  const requests: readonly (readonly [string, string, JsonObject | null, number])[] = [
    ["GET", "/GroupMemberships", null, 200],
    ["GET", `/GroupMemberships?filter=${encodeURIComponent(`group.value eq "${group}"`)}`, null, 200],
    ["GET", `/GroupMemberships/${group}~${user}?attributes=member`, null, 200],
    ["POST", "/GroupMemberships", row(group, "ines-of-old"), 201],
    ["POST", "/GroupMemberships", row(group, user), 409],
    ["POST", "/GroupMemberships", row("ines", user), 400],
    ["DELETE", `/GroupMemberships/${group}~${user}`, null, 204],
    ["DELETE", `/GroupMemberships/${group}~${user}`, null, 404],
  ];
  for (const [method, address, body, status] of requests) {
    const answer = await server.call(method, address, body === null ? {} : { body });
    expect(answer.status, answer.text).toBe(status);
  }
  const entries = (await logged(server, requests.length + 2)).toReversed().slice(2);
  const folder = newFolder();
  for (const [at, { id }] of entries.entries()) {
    for (const where of [[], ["--url", server.origin]]) {
      const file = join(folder, `${at}-${where.length}.json`);
      expect(await runCommand(["case", "export", String(id), file, ...where], environment)).toBe(0);
      expect(readFileSync(file, "utf8")).not.toMatch(PERSONAL);
      expect(await runCommand(["case", "run", file], {}), `${at}: ${printed.join("")}`).toBe(0);
    }
  }
});

/** Ids that an import took over, each of which reads like something else that the log holds too. */
const TAKEN_OVER = ["1", "2", "200", "412", "User", "Users", "core", "eq", "u.2"];

test("cases of short ids name their resources, and nothing else that reads so", async () => {
  const { environment } = await SQLITE.make();
  const file = join(newFolder(), "users.jsonl");
  const records = TAKEN_OVER.map((id) => ({
    schemas: [USER],
    id,
    userName: `u-${id}@corp.example`,
    active: true,
  }));
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  expect(await runCommand(["import", file, "--keep-ids"], environment)).toBe(0);
  const server = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
  const group = await server.group({ displayName: "Team Blue" });
  const every = TAKEN_OVER.flatMap((id): readonly (readonly [string, string, JsonObject | null])[] => [
    ["PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: "False" })],
    ["GET", `/Users/${id}`, null],
    ["GET", `/Users?filter=${encodeURIComponent(`id eq "${id}"`)}&startIndex=1&count=2`, null],
    ["PATCH", group.path, patch({ op: "add", path: "members", value: [{ value: id, type: "User" }] })],
    ["GET", `/Groups?filter=${encodeURIComponent(`members.value eq "${id}"`)}&count=2`, null],
    ["PATCH", group.path, patch({ op: "remove", path: `members[value eq "${id}"]` })],
  ]);
  for (const [method, address, body] of every) {
    const answer = await server.call(method, address, body === null ? {} : { body });
    expect(answer.status, answer.text).toBe(200);
  }
  const stale = ["PATCH", "/Users/412", patch({ op: "replace", path: "active", value: true })] as const;
  expect(
    (await server.call("PATCH", stale[1], { body: stale[2], headers: { "If-Match": 'W/"1-gone"' } })).body,
  ).toMatchObject({ status: "412" });
  const sent = [...every, stale];
  const entries = (await logged(server, sent.length + 1)).toReversed().slice(1);
  await eventually(async () =>
    expect((await changed(server)).match(/"patched"/g)).toHaveLength(3 * TAKEN_OVER.length),
  );
  await server.stop();
  printed.length = 0;
  for (const [at, { id }] of entries.entries()) {
    const of = join(newFolder(), "case.json");
    expect(await runCommand(["case", "export", String(id), of], environment)).toBe(0);
    expect(await runCommand(["case", "run", of], {}), `${String(sent[at])}: ${printed.join("")}`).toBe(0);
  }
  expect(new Set(printed)).toEqual(new Set(["As expected: 200.\n", "As expected: 412.\n"]));
});

test("a case whose answer differs says where, and fails", async () => {
  const file = join(newFolder(), "case.json");
  const of = {
    version: 1,
    id: "example",
    profile: { name: "strict", switches: [] },
    documents: [],
    given: [{ name: "r1", endpoint: "/Users", resource: { schemas: [USER], userName: "~a" } }],
    request: {
      method: "PATCH",
      path: "/Users/${r1.id}",
      headers: {},
      body: patch({ op: "replace", path: "active", value: "False" }),
    },
    expect: { status: 200, body: { schemas: [USER], userName: "~a", active: false } },
  };
  writeFileSync(file, JSON.stringify(of));
  expect(await runCommand(["case", "run", file], {})).toBe(1);
  expect(printed.join("")).toContain("status: expected 200, got 400\n");
  printed.length = 0;
  writeFileSync(
    file,
    JSON.stringify({ ...of, profile: { name: "x", switches: ["string-booleans"] }, limits: null }),
  );
  expect([await runCommand(["case", "run", file], {}), printed]).toEqual([0, ["As expected: 200.\n"]]);
  const input = vi.spyOn(process, "stdin", "get");
  const runInput = (text: string): Promise<number> => {
    input.mockReturnValue(Readable.from([text]) as typeof process.stdin);
    return runCommand(["case", "run", "-"], {});
  };
  expect(await runInput(readFileSync(file, "utf8"))).toBe(0);
  await expect(runInput("{}")).rejects.toThrow("came by standard input is no case of version 1");
  const { body: _body, ...bodiless } = of.request;
  for (const [wrong, what] of [
    ["{}", "'version' is not 1"],
    [
      { ...of, profile: { name: "x", switches: ["no-switch"] } },
      "'profile.switches' is not a list of switches",
    ],
    [{ ...of, limits: { maxResults: "5" } }, "'limits' is not an object of whole numbers"],
    [{ ...of, limits: { filterDepth: 5 } }, "'limits' is not an object of whole numbers"],
    [{ ...of, given: {} }, "'given' is not a list"],
    [{ ...of, given: [{ name: "r1" }] }, "'given' is not a list"],
    [{ ...of, documents: null }, "'documents' is not a list"],
    [{ ...of, request: bodiless }, "'request' is not an object with a body"],
    [{ ...of, request: { ...of.request, path: "/Users/${r2.id}" } }, "no resource for ${r2.id}"],
  ] as const) {
    writeFileSync(file, typeof wrong === "string" ? wrong : JSON.stringify(wrong));
    const run = runCommand(["case", "run", file], {});
    await expect(run, what).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(what) });
  }
});
