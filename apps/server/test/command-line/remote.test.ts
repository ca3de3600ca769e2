import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createScimClient, createUndiciTransport, type ScimClient, type Transport } from "@scim/client";
import { GROUP_SCHEMA, GROUP_URN, USER_SCHEMA, USER_URN, type JsonObject } from "@scim/schemas";
import type { Source, SourceRecord } from "@scim/sync";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { importInto, type RemoteImport } from "../../src/remote/remote-import.ts";
import { ADMIN_TOKEN } from "../admin/admin-client.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { printed } from "./printed.ts";
import { newFolder, start } from "./program.ts";

const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const DOCUMENTS = [
  { id: BADGE, name: "Badge", attributes: [{ name: "badge", type: "integer" }] },
  {
    name: "User",
    endpoint: "/Users",
    schema: "urn:ietf:params:scim:schemas:core:2.0:User",
    schemaExtensions: [{ schema: BADGE, required: false }],
  },
];

test("scim generate reads a running service by a token, or the same documents in a folder", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "schemas"));
  writeFileSync(join(folder, "schemas", "badge.json"), JSON.stringify(DOCUMENTS));
  const token = newToken();
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_TOKEN: token,
    SCIM_SCHEMAS: join(folder, "schemas"),
  });
  const url = `${server.origin}/scim/v2`;
  const file = join(folder, "scim.ts");
  writeFileSync(join(folder, "token"), `SCIM_TOKEN=${token}\n`);

  const fromService = await printed(["generate", "--url", url], { SCIM_TOKEN: token });
  expect(fromService).toMatchObject({ code: EXIT.ok, stderr: "" });
  expect(fromService.stdout).toContain("extensions: [BADGE_SCHEMA]");
  await printed(["generate", "--url", url, "--out", file, "--token-file", join(folder, "token")], {});
  expect(readFileSync(file, "utf8")).toBe(fromService.stdout);
  const fromFolder = await printed(["generate", "--schemas", join(folder, "schemas"), "--out", "-"], {});
  expect(fromFolder.stdout).toContain("extensions: [BADGE_SCHEMA]");

  await expect(printed(["generate", "--url", url], {})).rejects.toThrow(/credentials|401|token/i);
  await expect(printed(["generate"], {})).rejects.toMatchObject({ exitCode: EXIT.usage });
  await expect(printed(["generate", "--url", "ftp://x"], {})).rejects.toMatchObject({ exitCode: EXIT.usage });
});

test("a token goes to another machine over plain HTTP with a warning, or not at all", async () => {
  const calls = [
    ["generate", "--url", "http://plain.invalid/scim/v2"],
    ["tenant", "list", "--url", "http://plain.invalid"],
    ["simulate", "okta", "--target", "http://plain.invalid/scim/v2"],
    [
      "sync",
      "--mapping",
      join(newFolder(), "m.yaml"),
      "--target",
      "http://plain.invalid/scim/v2",
      "--source",
      "p.csv",
    ],
  ];
  writeFileSync(
    calls[3]?.[2] ?? "",
    "resources: [{ type: User, key: '{id}', match: userName, set: { userName: '{id}' } }]",
  );
  const token = newToken();
  const tokens = { SCIM_TOKEN: token, SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
  for (const call of calls) {
    const refused = printed(call, { ...tokens, SCIM_PLAIN_HTTP: "refuse" });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining("go over plain HTTP") });
  }
  // An address that is not known to be this machine's, and is.
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const origin = server.origin.replace("127.0.0.1", "0.0.0.0");
  const warned = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const generate = ["generate", "--url", `${origin}/scim/v2`];
  for (const [said, warnings] of [
    ["allow", []],
    [
      "warn",
      [[`Credentials for ${origin} go over plain HTTP, where they can be read on the way. Use https.`]],
    ],
  ] as const) {
    const { code } = await printed(generate, { ...tokens, SCIM_PLAIN_HTTP: said });
    expect([code, warned.mock.calls], said).toEqual([EXIT.ok, warnings]);
  }
  const unknown = printed(calls[0] ?? [], { ...tokens, SCIM_PLAIN_HTTP: "no" });
  await expect(unknown).rejects.toMatchObject({ exitCode: EXIT.usage });
  const mistaken = printed(["simulate", "okta", "--url", "http://plain.invalid"], tokens);
  await expect(mistaken).rejects.toThrow("by --target");
});

test.each([
  ["export", "http://ann:pa55word@127.0.0.1:9/scim/v2"],
  ["generate", "http://ann:pa55word@127.0.0.1:9/scim/v2"],
  ["mcp", "https://id.example/scim/v2?token=pa55word"],
  ["doctor", "ftp://ann:pa55word@127.0.0.1"],
  ["doctor", "http://ann:pa55word@[x"],
])("scim %s repeats nothing of an address that is none, such as a password: %s", async (command, url) => {
  const asked = printed([command, "--url", url], {});
  await expect(asked).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/^(?!.*pa55word).*--url is the base address of a service/),
  });
});

test("export, doctor and schema show look at a running service where --url names one", async () => {
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const user = await server.user({ userName: "ada" });
  const group = await server.group({
    displayName: "Pioneers",
    members: [{ value: user.id }, { value: "gone" }],
  });
  const url = ["--url", `${server.origin}/scim/v2`];
  const environment = { SCIM_TOKEN: token, SCIM_DATABASE_URL: "sqlite:/nowhere/at/all.db" };

  const exported = await printed(["export", ...url], environment);
  const lines = exported.stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toEqual([
    expect.objectContaining({ id: user.id, userName: "ada" }),
    expect.objectContaining({
      id: group.id,
      members: expect.arrayContaining([expect.objectContaining({ value: "gone" })]),
    }),
  ]);
  const users = await printed(["export", "--type", "user", ...url], environment);
  expect(users.stdout.trim().split("\n")).toHaveLength(1);

  // Other services give tokens of other forms: they are sent as they are.
  for (const command of [["export"], ["doctor"], ["import", join(newFolder(), "all.jsonl")]]) {
    const foreign = printed([...command, ...url], {
      SCIM_TOKEN: "00Qk-foreign",
      SCIM_ADMIN_TOKEN: "eyJh.b.c",
    });
    await expect(foreign, command[0]).rejects.toMatchObject({
      message: expect.stringMatching(/401|no such file/),
    });
  }

  const doctor = await printed(["doctor", ...url], environment);
  expect(doctor.code).toBe(EXIT.ok);
  expect(doctor.stdout).toContain("1 member that names nothing");
  expect(doctor.stdout).toMatch(new RegExp(`${group.id} +gone`));

  const astray = printed(["doctor", "--url", server.origin], environment);
  await expect(astray).rejects.toThrow("--url is the base address of a service");

  const types = await printed(["schema", "show", ...url], environment);
  expect(types.stdout).toMatch(/^User +\/Users +urn:ietf:params:scim:schemas:core:2.0:User /m);
  const schema = await printed(["schema", "show", "group", ...url], environment);
  expect(JSON.parse(schema.stdout)).toMatchObject({ id: "urn:ietf:params:scim:schemas:core:2.0:Group" });
});

test("an export tells where a service lists fewer than it says it has", async () => {
  const users = [1, 2, 3].map((n) => ({ id: String(n), userName: `u${n}` }));
  const service = createServer(({ url = "" }, answer) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const isUsers = pathname === "/Users";
    // Without a fixed order: the second page has one again, and so lacks another.
    const [first, second, third] = users;
    const listed = searchParams.get("startIndex") === "3" ? [third, second] : [first, second, third];
    const body = isUsers ? { totalResults: 4, Resources: listed } : { totalResults: 0, Resources: [] };
    answer.statusCode = isUsers || pathname === "/Groups" ? 200 : 404;
    answer.end(JSON.stringify(body));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const address = service.address();
  if (typeof address !== "object" || address === null) throw new TypeError("It listens.");
  const url = ["--url", `http://127.0.0.1:${address.port}`];
  const exported = await printed(["export", ...url], { SCIM_TOKEN: "any" });
  expect(exported.code).toBe(EXIT.failed);
  expect(exported.stdout.match(/"userName"/g)).toHaveLength(3);
  expect(exported.stderr).toMatch(/User: the service says that it has 4, and listed 3/);
  const file = join(newFolder(), "all.jsonl");
  const told = await printed(["export", file, "--json", ...url], { SCIM_TOKEN: "any" });
  expect(told.code).toBe(EXIT.failed);
  expect(JSON.parse(told.stdout)).toEqual({
    file,
    resources: 3,
    incomplete: [{ type: "User", told: 4, listed: 3 }],
  });
});

test("an export puts what is referred to first, and leaves out what a service lets nobody read", async () => {
  const types = [
    { name: "Group", endpoint: "/Groups", schema: GROUP_URN },
    { name: "Inbox", endpoint: "/Inboxes", schema: USER_URN, operations: ["create"] },
    { name: "User", endpoint: "/Users", schema: USER_URN },
  ];
  const lists: Readonly<Record<string, readonly object[]>> = {
    "/ResourceTypes": types,
    "/Schemas": [USER_SCHEMA, GROUP_SCHEMA],
    "/Groups": [{ id: "g", displayName: "Pioneers", members: [{ value: "u" }] }],
    "/Users": [{ id: "u", userName: "ada" }],
  };
  const service = createServer(({ url = "" }, answer) => {
    const Resources = lists[new URL(url, "http://localhost").pathname];
    answer.writeHead(Resources === undefined ? 405 : 200, { "content-type": "application/scim+json" });
    answer.end(JSON.stringify(Resources === undefined ? {} : { totalResults: Resources.length, Resources }));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const address = service.address();
  if (typeof address !== "object" || address === null) throw new TypeError("It listens.");
  const { code, stdout } = await printed(["export", "--url", `http://127.0.0.1:${address.port}`], {});
  const ids = stdout.trim().split("\n");
  expect(ids.map((line) => (JSON.parse(line) as { readonly id: string }).id)).toEqual(["u", "g"]);
  expect(code).toBe(EXIT.ok);
});

test("what a service says of itself steers no terminal", async () => {
  const red = "\u001B[31m";
  const types = [{ name: `User${red}`, endpoint: "/Users", schema: USER_URN }];
  const [first, second, third] = [1, 2, 3].map((n) => ({ id: String(n), userName: `u${n}` }));
  const service = createServer(({ url = "" }, answer) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const listed = searchParams.get("startIndex") === "3" ? [third, second] : [first, second, third];
    const lists: Readonly<Record<string, unknown>> = {
      "/ResourceTypes": { totalResults: 1, Resources: types },
      "/Schemas": { totalResults: 1, Resources: [{ id: USER_URN, name: "User", attributes: [] }] },
      "/Users": { totalResults: 4, Resources: listed },
    };
    const body = lists[pathname];
    answer.writeHead(body === undefined ? 400 : 200, { "content-type": "application/scim+json" });
    answer.end(JSON.stringify(body ?? { status: "400", detail: `${red}No.` }));
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const address = service.address();
  if (typeof address !== "object" || address === null) throw new TypeError("It listens.");
  const url = `http://127.0.0.1:${address.port}`;
  const exported = await printed(["export", "--url", url], { SCIM_TOKEN: "any" });
  expect(exported.stderr).toContain("User\\u001b[31m: the service says that it has 4, and listed 3");
  const environment = { SCIM_TOKEN: "any" };
  const mcp = start(["mcp", "--url", `${url}/none`, "--tools", "x"], { folder: newFolder(), environment });
  await mcp.ended;
  expect(mcp.stderr()).toContain("scim mcp: --tools cannot be checked: \\u001b[31mNo.");
});

test("import makes what was exported in another service, with the ids that it gives", async () => {
  const folder = newFolder();
  const file = join(folder, "all.jsonl");
  const token = newToken();
  const environment = { SCIM_TOKEN: token };
  const [from, to] = await Promise.all(
    [1, 2].map(() => startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token })),
  );
  if (from === undefined || to === undefined) throw new TypeError("There are two.");
  const ada = await from.user({ userName: "ada" });
  const bo = await from.user({ userName: "bo", [ENTERPRISE]: { manager: { value: ada.id } } });
  const inner = await from.group({
    displayName: "Inner",
    members: [{ value: bo.id }, { value: "elsewhere" }],
  });
  await from.group({ displayName: "Outer", members: [{ value: inner.id }] });
  const exporting = ["export", file, "--url", `${from.origin}/scim/v2`];
  await printed(exporting, environment);
  const before = readFileSync(file, "utf8");
  await expect(printed(exporting, environment)).rejects.toThrow(/all\.jsonl exists: name another file/);
  expect(readFileSync(file, "utf8")).toBe(before);
  const odd = JSON.stringify({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    meta: { resourceType: 5 },
    userName: "cy",
  });
  writeFileSync(file, `${before}{"schemas":["urn:none"]}\nno JSON\n${odd}\n`);

  const url = ["--url", `${to.origin}/scim/v2`, "--json"];
  const first = await printed(["import", file, ...url], environment);
  expect(first.code).toBe(EXIT.failed);
  const { created, rejected } = JSON.parse(first.stdout);
  expect([created, rejected.length]).toEqual([4, 3]);
  const again = JSON.parse((await printed(["import", file, ...url], environment)).stdout);
  expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 4, rejected: [{}, {}, {}] });
  const refused = JSON.parse((await printed(["import", file, "--mode=create", ...url], environment)).stdout);
  expect([refused.created, refused.unchanged, refused.rejected.length]).toEqual([0, 0, 7]);

  const exported = await printed(["export", "--url", `${to.origin}/scim/v2`], environment);
  const made = exported.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const idOf = (name: string): unknown =>
    made.find(({ userName, displayName }) => [userName, displayName].includes(name))?.id;
  expect(made).toMatchObject([
    { userName: "ada" },
    { userName: "bo", [ENTERPRISE]: { manager: { value: idOf("ada") } } },
    { displayName: "Inner", members: [{ value: idOf("bo") }, { value: "elsewhere" }] },
    { displayName: "Outer", members: [{ value: idOf("Inner") }] },
  ]);
  expect(idOf("ada")).not.toBe(ada.id);
});

test("a second import changes what differs and nothing else, and finds what it means by what it is known by", async () => {
  const folder = newFolder();
  const file = join(folder, "all.jsonl");
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const url = `${server.origin}/scim/v2`;
  const importedFile = async (): Promise<unknown> =>
    JSON.parse((await printed(["import", file, "--url", url, "--json"], { SCIM_TOKEN: token })).stdout);
  const imported = (...records: readonly object[]): Promise<unknown> => {
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join("\n"));
    return importedFile();
  };
  const USER = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"] };
  const GROUP = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"] };
  const ada = {
    ...USER,
    id: "1",
    externalId: "e1",
    userName: "ada",
    password: "Secret-1234",
    title: "Countess",
  };
  const bo = { ...USER, id: "2", userName: "bo", emails: [{ value: "bo@x.example", type: "work" }] };
  const group = { ...GROUP, id: "3", displayName: "Both", members: [{ value: "1" }, { value: "2" }] };
  const none = { created: 0, updated: 0, unchanged: 0, rejected: [], stopped: false };
  expect(await imported(ada, bo, group)).toEqual({ ...none, created: 3 });
  const before = await server.call("GET", "/Users");
  expect(await imported(ada, bo, group)).toEqual({ ...none, unchanged: 3 });
  expect((await server.call("GET", "/Users")).body).toEqual(before.body);

  const { title: _title, ...renamed } = { ...ada, userName: "ada.l", name: { familyName: "Lovelace" } };
  const boss = { ...bo, [ENTERPRISE]: { manager: { value: "1" } } };
  const smaller = { ...group, members: [{ value: "2" }] };
  expect(await imported(renamed, boss, smaller)).toEqual({ ...none, updated: 3 });
  expect(await imported(renamed, boss, smaller)).toEqual({ ...none, unchanged: 3 });
  const users = (await server.call("GET", "/Users?sortBy=userName")).body["Resources"];
  // What a record does not name stays.
  expect(users).toMatchObject([
    { externalId: "e1", userName: "ada.l", title: "Countess", name: { familyName: "Lovelace" } },
    { userName: "bo", [ENTERPRISE]: { manager: { value: expect.any(String) } } },
  ]);
  const remaining = await server.call("GET", `/Users?filter=${encodeURIComponent('userName eq "bo"')}`);
  const [groupNow, boNow] = [(await server.call("GET", "/Groups")).text, remaining.text].map((text) =>
    JSON.parse(text),
  );
  expect(groupNow.Resources).toMatchObject([{ members: [{ value: boNow.Resources[0].id }] }]);

  const twice = { ...group, members: ["2", "1", "1"].map((value, at) => ({ value, display: `${at}` })) };
  expect(await imported(renamed, boss, twice)).toEqual({ ...none, updated: 1, unchanged: 2 });
  expect(await imported(renamed, boss, twice)).toEqual({ ...none, unchanged: 3 });

  const shouted = { SCHEMAS: USER.schemas, USERNAME: "ada.l", EXTERNALID: "e1" };
  const called = { Meta: { ResourceType: "User" }, UserName: "bo" };
  expect(await imported(shouted, called)).toEqual({ ...none, unchanged: 2 });
  const capitals = { ...renamed, schemas: USER.schemas.map((urn) => urn.toUpperCase()) };
  expect(await imported(capitals)).toEqual({ ...none, unchanged: 1 });

  expect(await imported({ ...smaller, externalId: "g1" })).toEqual({ ...none, updated: 1 });
  writeFileSync(file, `${JSON.stringify({ ...bo, title: "A" }).slice(0, -1)},"title":"B"}`);
  expect(await importedFile()).toEqual({
    ...none,
    rejected: [{ place: "line 1", reason: expect.stringContaining('member "title" occurs twice') }],
  });
  await server.user({ externalId: "e1", userName: "other" });
  expect(await imported(renamed)).toEqual({
    ...none,
    rejected: [
      { place: "line 1", reason: expect.stringMatching(/^Several resources have 'e1' as externalId/) },
    ],
  });
});

test("R7643-7-05 what services return on request alone is exported, and imported again without a change", async () => {
  const folder = newFolder();
  const schema = "urn:example:params:scim:schemas:acme:1.0:Locker";
  const onRequest = { type: "string", returned: "request" };
  const locks = [
    { name: "value", type: "string" },
    { ...onRequest, name: "key" },
  ];
  const attributes = [
    { ...onRequest, name: "note" },
    { name: "locks", type: "complex", multiValued: true, subAttributes: locks },
  ];
  const documents = [
    { id: schema, name: "Locker", attributes },
    { name: "Locker", endpoint: "/Lockers", schema },
  ];
  writeFileSync(join(folder, "documents.json"), JSON.stringify(documents));
  const token = newToken();
  const settings = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token, SCIM_SCHEMAS: folder };
  const server = await startInProcess(settings);
  const url = ["--url", `${server.origin}/scim/v2`];
  const locker = { schemas: [schema], externalId: "l1", note: "n", locks: [{ value: "a", key: "k" }] };
  const file = join(newFolder(), "all.jsonl");
  writeFileSync(file, JSON.stringify(locker));
  const imported = async (): Promise<unknown> =>
    JSON.parse((await printed(["import", file, ...url, "--json"], { SCIM_TOKEN: token })).stdout);
  expect(await imported()).toMatchObject({ created: 1, rejected: [] });
  expect(await imported()).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  const exported = await printed(["export", "--type", "Locker", ...url], { SCIM_TOKEN: token });
  expect(JSON.parse(exported.stdout)).toMatchObject({ ...locker, meta: { resourceType: "Locker" } });
});

test("R7644-3.5.1-04 an import into a service without PATCH leaves what is returned on request alone", async () => {
  const folder = newFolder();
  const onRequest = { name: "hint", type: "string", returned: "request" };
  const documents = [{ id: BADGE, name: "Badge", attributes: [onRequest] }, DOCUMENTS[1]];
  writeFileSync(join(folder, "documents.json"), JSON.stringify(documents));
  const token = newToken();
  const settings = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token, SCIM_SCHEMAS: folder };
  const server = await startInProcess(settings);
  const undici = createUndiciTransport();
  onTestFinished(() => undici.close());
  const sent: string[] = [];
  const transport: Transport = {
    ...undici,
    send: async (request) => {
      sent.push(request.method);
      const answer = await undici.send(request);
      if (!request.path.endsWith("/ServiceProviderConfig")) return answer;
      return {
        ...answer,
        body: JSON.stringify({ patch: { supported: false }, filter: { supported: true } }),
      };
    },
  };
  const client = createScimClient({ baseUrl: `${server.origin}/scim/v2`, auth: token, transport });
  const ada = { schemas: [USER_URN], userName: "ada", [BADGE]: { hint: "blue" } };
  expect(await importedRecords(client, [ada])).toMatchObject({ created: 1 });
  const titled = { schemas: [USER_URN], userName: "ada", title: "Countess" };
  expect(await importedRecords(client, [titled])).toMatchObject({ updated: 1, rejected: [] });
  expect([sent.includes("PUT"), sent.includes("PATCH")]).toEqual([true, false]);
  const found = await server.call("GET", `/Users?attributes=title,${BADGE}:hint`);
  expect(found.body["Resources"]).toMatchObject([{ title: "Countess", [BADGE]: { hint: "blue" } }]);
});

test("an import into a service reads standard input, as an export from another gives it", async () => {
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const ada = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ada" };
  const input = Readable.from([Buffer.from(`${JSON.stringify(ada)}\n`)]);
  const reading = vi.spyOn(process, "stdin", "get").mockReturnValue(input as typeof process.stdin);
  onTestFinished(() => reading.mockRestore());
  const args = ["import", "-", "--url", `${server.origin}/scim/v2`];
  expect((await printed(args, { SCIM_TOKEN: token })).stdout).toContain("1 created");
});

/** A client of a service that gives everybody, whatever it is asked for, and how many pages of them it gave. */
async function ignoringFilters(): Promise<{ readonly client: ScimClient; readonly pages: () => number }> {
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const undici = createUndiciTransport();
  onTestFinished(() => undici.close());
  let pages = 0;
  const transport: Transport = {
    ...undici,
    send: (request) => {
      if (request.path.includes("count=")) pages += 1;
      return undici.send({ ...request, path: request.path.replace(/filter=[^&]*&?/, "") });
    },
  };
  const client = createScimClient({ baseUrl: `${server.origin}/scim/v2`, auth: token, transport });
  return { client, pages: () => pages };
}

function importedRecords(client: ScimClient, records: readonly JsonObject[]): Promise<RemoteImport> {
  async function* items(): AsyncGenerator<SourceRecord, void, undefined> {
    for (const [at, fields] of records.entries()) yield { kind: "record", place: `line ${at + 1}`, fields };
  }
  const source: Source = { open: async () => ({ items: items(), changesOnly: false, token: () => null }) };
  const { signal } = new AbortController();
  return importInto({ client, source, type: null, mode: "upsert", signal, onRecord: () => undefined });
}

test("an import into a service that ignores filters takes nobody for somebody else", async () => {
  const { client } = await ignoringFilters();
  await client.users.create({ userName: "admin" });
  const ada = { schemas: [USER_URN], userName: "Ada", externalId: "e1" };
  expect(await importedRecords(client, [ada])).toMatchObject({ created: 1, updated: 0, rejected: [] });
  const names = (await client.users.list().toArray()).map(({ userName }) => userName);
  expect(names.toSorted()).toEqual(["Ada", "admin"]);
  expect(await importedRecords(client, [ada])).toMatchObject({ created: 0, unchanged: 1, rejected: [] });
});

test("an import into a service that ignores filters reads what is there once, for all records", async () => {
  const { client, pages } = await ignoringFilters();
  const group = (n: number) => ({
    schemas: [GROUP_URN],
    externalId: `e${n}`,
    displayName: `Group ${n}`,
  });
  const job = client.bulk();
  for (let n = 0; n < 300; n += 1) job.create(client.groups, group(n));
  await job.run();
  const records = [
    { ...group(250), displayName: "Renamed" },
    ...Array.from({ length: 100 }, (_, n) => group(n)),
    { schemas: [GROUP_URN], displayName: "group 299" },
    group(300),
    // Nothing has this name any more.
    { schemas: [GROUP_URN], displayName: "Group 250" },
  ];
  const summary = await importedRecords(client, records);
  expect(summary).toEqual({ created: 2, updated: 2, unchanged: 100, rejected: [], stopped: false });
  expect(pages()).toBeLessThan(60);
});

test.each([
  { when: "it is interrupted", created: 17, reason: null },
  { when: "the service is gone", created: 16, reason: /no connection came about \(\w+\)\. Look at the base/ },
  { when: "its token is refused", created: 16, reason: /: 4(?:01|29), / },
])(
  "an import into a service leaves the rest of a file where $when, and says so",
  async ({ when, created, reason }) => {
    const token = newToken();
    let sent = token;
    const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
    await using client = createScimClient({
      baseUrl: `${server.origin}/scim/v2`,
      auth: { authorization: () => `Bearer ${sent}` },
      retries: { attempts: 1 },
    });
    const interrupted = new AbortController();
    const happens = async (): Promise<void> => {
      if (when === "it is interrupted") interrupted.abort();
      else if (when === "the service is gone") await server.stop();
      else sent = newToken();
    };
    async function* items(): AsyncGenerator<SourceRecord, void, undefined> {
      for (let n = 0; n < 100; n += 1) {
        // The first sixteen are done by then, and the next one waits for its turn.
        if (n === 17) await happens();
        const fields = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: `u${n}` };
        yield { kind: "record", place: `line ${n + 1}`, fields };
      }
    }
    const source: Source = { open: async () => ({ items: items(), changesOnly: false, token: () => null }) };
    const { signal } = interrupted;
    const summary = await importInto({
      client,
      source,
      type: null,
      mode: "create",
      signal,
      onRecord: () => undefined,
    });
    expect(summary).toMatchObject({ created, stopped: true });
    expect(summary.rejected).toHaveLength(reason === null ? 0 : 16);
    for (const rejected of summary.rejected) expect(rejected.reason).toMatch(reason ?? "");
  },
);

test.each([
  [["import", "a.csv"], EXIT.usage, /JSON lines/],
  [["import", "a.jsonl", "--keep-ids"], EXIT.usage, /no --keep-ids/],
  [["import", "/nowhere/a.jsonl"], EXIT.failed, /nowhere/],
  [["export", "--type", "Thing"], EXIT.usage, /no resource type 'Thing'; it has User, Group/],
  [["export", "--tenant", "acme"], EXIT.usage, /the token says which tenant/],
  [["export", "--format", "csv"], EXIT.usage, /JSON lines/],
  [["export", "all.csv"], EXIT.usage, /JSON lines.*ends in .jsonl/],
  [["schema", "show", "Thing"], EXIT.failed, /has no schema 'Thing'/],
  [["doctor", "--tenant", "other"], EXIT.failed, /404|not found|no such/i],
])("%j is refused of a running service", async (args, exitCode, message) => {
  const token = newToken();
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
  const call = printed([...args, "--url", `${server.origin}/scim/v2`], { SCIM_TOKEN: token });
  await expect(call).rejects.toMatchObject({ exitCode, message: expect.stringMatching(message) });
});
