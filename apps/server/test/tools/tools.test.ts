import { connect } from "node:net";
import type { JsonValue } from "@scim/schemas";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { programVersion } from "../../src/program-version.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { agentOf, message, post, use } from "./agents.ts";

const TOKEN = newToken();

const started = (environment: Readonly<Record<string, string>> = {}): Promise<InProcessServer> =>
  startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: TOKEN, ...environment });

test("the official client lists, calls, reads schemas, and is told of conflicts", async () => {
  const { origin } = await started();
  const client = await agentOf(origin, TOKEN);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["scim_create_user", "scim_query"]));
  const { result } = await use(client, "scim_create_user", { user_data: { userName: "ann" } });
  const { id, meta } = result as { readonly id: string; readonly meta: { readonly version: string } };
  const target = { user_id: id, expected_version: meta.version };
  const operations = [{ op: "replace", path: "title", value: "Dr" }];
  expect(await use(client, "scim_patch_user", { ...target, operations })).toMatchObject({
    failed: false,
    result: { title: "Dr" },
  });
  expect(await use(client, "scim_delete_user", target)).toMatchObject({
    failed: true,
    result: {
      error: {
        status: 412,
        detail: expect.any(String),
        expectedVersion: meta.version,
        currentVersion: expect.stringMatching(/^[\w~-]+$/),
      },
    },
  });
  expect(client.getServerVersion()).toMatchObject({ name: "scim", version: programVersion() });
  const uri = "urn:ietf:params:scim:schemas:core:2.0:User";
  expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
  expect(JSON.stringify((await client.readResource({ uri })).contents)).toContain("userName");
  await expect(client.callTool({ name: "scim_fly", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  expect(await client.callTool({ name: "scim_get_user", arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: {
      error: { status: 400, scimType: "invalidValue", detail: expect.stringContaining("user_id") },
    },
  });
});

test("a request written by hand gets an answer", async () => {
  const { origin } = await started();
  const body =
    '{"jsonrpc":"2.0","method":"scim_create_user","params":{"user_data":{"userName":"eve"}},"id":"a"}';
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      received += piece;
    });
    socket.on("end", () => resolve(received)).on("error", reject);
    socket.write(
      `POST /rpc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKEN}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4))).toMatchObject({
    jsonrpc: "2.0",
    id: "a",
    result: { userName: "eve", meta: { resourceType: "User", version: expect.stringMatching(/^[\w~-]+$/) } },
  });
});

const ANSWERS: readonly (readonly [sent: JsonValue, answered: object])[] = [
  ["{", { id: null, error: { code: -32_700, data: { status: 400 } } }],
  ["[]", { id: null, error: { code: -32_600 } }],
  ["7", { id: null, error: { code: -32_600 } }],
  [
    { jsonrpc: "1.0", id: 1, method: "scim_server_info" },
    { id: 1, error: { code: -32_600 } },
  ],
  [
    { jsonrpc: "2.0", id: {}, method: "scim_server_info" },
    { id: null, error: { code: -32_600 } },
  ],
  [message("scim_fly"), { id: 1, error: { code: -32_601, data: { status: 404 } } }],
  [message("scim_get_user", 7), { id: 1, error: { code: -32_602 } }],
  [
    message("scim_get_user", { user_id: "none" }),
    { id: 1, error: { code: -32_000, data: { status: 404, scimType: null } } },
  ],
  [message("scim_user_exists", ["none"], null), { id: null, result: { exists: false } }],
  [
    message("scim_server_info", { tenant_id: "default" }),
    { result: { tenant: "default", capabilities: { dryRun: true, cursor: true } } },
  ],
  [
    message("rpc.discover"),
    { result: { methods: expect.arrayContaining([expect.objectContaining({ name: "scim_get_user" })]) } },
  ],
  [
    [message("scim_user_exists", { user_id: "x" }), { jsonrpc: "2.0", method: "scim_list_users" }, 3],
    [
      { id: 1, result: { exists: false } },
      { id: null, error: { code: -32_600 } },
    ],
  ],
  [
    Array.from({ length: 101 }, () => message("scim_server_info")),
    { error: { code: -32_600, data: { status: 413 } } },
  ],
];

test("JSON-RPC 2.0: requests, batches, and what is none", async () => {
  const server = { ...(await started()), token: TOKEN };
  for (const [sent, answered] of ANSWERS) {
    const { status, body } = await post(server, sent);
    expect([status, body], JSON.stringify(sent)).toMatchObject([200, answered]);
  }
});

test("a notification is done and not answered", async () => {
  const server = await started();
  const sent = { jsonrpc: "2.0", method: "scim_create_user", params: { user_data: { userName: "nora" } } };
  expect(await post({ ...server, token: TOKEN }, sent)).toMatchObject({ status: 204, body: null });
  expect((await server.call("GET", "/Users")).body).toMatchObject({ Resources: [{ userName: "nora" }] });
});

describe.each(["/rpc", "/mcp"])("%s", (path) => {
  test("asks for a token, by POST, of a page of its own", async () => {
    const { origin } = await started();
    const at = { origin, path, token: TOKEN };
    const sent = message("tools/list");
    const refused = await post({ ...at, token: newToken() }, sent);
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get("www-authenticate") ?? "";
    expect(challenge).toContain('Bearer realm="scim", error="invalid_token"');
    const metadata = /resource_metadata="(?<address>[^"]+)"/.exec(challenge)?.groups?.["address"] ?? "";
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${origin}${path}` });
    expect(refused.body).toMatchObject({ jsonrpc: "2.0", id: null, error: { data: { status: 401 } } });
    expect((await post(at, sent, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(at, sent, { origin })).status).toBe(200);
    const untyped = await post(at, sent, { "content-type": "text/plain" });
    expect([untyped.status, untyped.headers.get("accept")]).toEqual([415, "application/json"]);
    const large = await post(at, { ...sent, params: { text: "x".repeat(1_100_000) } });
    expect(large).toMatchObject({ status: 413, body: { error: { data: { status: 413 } } } });
    const got = await fetch(origin + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("counts each call of a batch as a request", async () => {
    const { origin } = await started({ SCIM_RATE_PER_SECOND: "1", SCIM_RATE_BURST: "5" });
    const at = { origin, path, token: TOKEN };
    const batch = Array.from({ length: 5 }, (_, id) => message("ping", {}, id));
    expect((await post(at, batch)).status).toBe(200);
    const early = await post(at, batch);
    const retryAfter = Number(early.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThan(0);
    expect(early).toMatchObject({ status: 429, body: { error: { data: { status: 429, retryAfter } } } });
  });

  test("says how many requests of a batch may come at once, where more never may", async () => {
    const { origin } = await started({ SCIM_RATE_PER_SECOND: "1", SCIM_RATE_BURST: "5" });
    const batch = Array.from({ length: 6 }, (_, id) => message("ping", {}, id));
    expect(await post({ origin, path, token: TOKEN }, batch)).toMatchObject({
      status: path === "/mcp" ? 400 : 200,
      body: { error: { code: -32_600, message: expect.stringContaining("more than 5 requests") } },
    });
  });
});

test("settings make tools read-only, few, and masked, or take them away", async () => {
  const narrow = await started({
    SCIM_TOOLS: "read-only",
    SCIM_TOOLS_ALLOW: "scim_*_user,scim_*_users,scim_server_info",
    SCIM_TOOLS_PERSONAL: "hidden",
    SCIM_TOOLS_ORIGINS: "https://agents.example",
  });
  await narrow.user({ userName: "ann" });
  const at = { origin: narrow.origin, token: TOKEN };
  const listed = await post(at, message("rpc.discover"), { origin: "https://agents.example" });
  expect(listed.headers.get("access-control-allow-origin")).toBe("https://agents.example");
  const asked = await fetch(`${narrow.origin}/mcp`, {
    method: "OPTIONS",
    headers: { origin: "https://agents.example", "access-control-request-method": "POST" },
  });
  expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([
    204,
    expect.stringContaining("Authorization"),
  ]);
  expect(listed.body).toMatchObject({
    result: {
      methods: [
        { name: "scim_get_user" },
        { name: "scim_list_users" },
        { name: "scim_search_users" },
        { name: "scim_server_info" },
      ],
    },
  });
  expect((await post(at, message("scim_list_users"))).body).toMatchObject({
    result: { totalResults: 1, Resources: [{ userName: "[hidden]", id: expect.any(String) }] },
  });
  expect((await post(at, message("scim_create_user", { user_data: { userName: "b" } }))).body).toMatchObject({
    error: { data: { status: 403 } },
  });
  const off = await started({ SCIM_TOOLS: "off" });
  expect((await post({ origin: off.origin, token: TOKEN }, message("scim_server_info"))).status).toBe(404);
});

test("a start tells of allowed tools that there are not", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  await startInProcess(
    { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: TOKEN, SCIM_TOOLS_ALLOW: "scim_get_*,scim_qurey" },
    log,
  );
  const told = lines.map((line) => JSON.parse(line) as { readonly tool?: string; readonly setting?: string });
  expect(told.flatMap(({ setting, tool }) => (setting === "tools.allow" ? [tool] : []))).toEqual([
    "scim_qurey",
  ]);
});
