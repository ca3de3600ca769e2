import { PassThrough } from "node:stream";
import { answerMcp, serveStdio } from "@scim/mcp/protocol";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { aToolbox } from "./support/service.ts";

async function answeredOverHttp(body: JsonValue): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const request = new Request("https://id.example/mcp", { method: "POST", headers });
  return answerMcp(aToolbox(), request, { body });
}

async function overHttp(body: JsonValue): Promise<JsonValue> {
  const answer = await answeredOverHttp(body);
  // It came as JSON.
  return (await answer.json()) as JsonValue;
}

async function overStdio(body: JsonValue): Promise<JsonValue> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  // It is there before the server is, as where a client does not wait.
  input.write(`${JSON.stringify(body)}\n`);
  const ended = serveStdio(aToolbox(), { input, output });
  const [line] = (await output.take(1).toArray()) as readonly Buffer[];
  input.end();
  await ended;
  return JSON.parse(String(line)) as JsonValue;
}

const CLIENT = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } };

const PARAMS: readonly (readonly [method: string, params: JsonValue | undefined, told: string])[] = [
  ["initialize", undefined, "The member 'params' of 'initialize'"],
  ["initialize", {}, "The member 'params.protocolVersion' of 'initialize'"],
  ["initialize", { ...CLIENT, protocolVersion: 1 }, "The member 'params.protocolVersion' of 'initialize'"],
  ["initialize", { ...CLIENT, capabilities: [] }, "The member 'params.capabilities' of 'initialize'"],
  ["initialize", { ...CLIENT, clientInfo: { name: "a" } }, "The member 'params.clientInfo.version'"],
  ["initialize", "2025-06-18", "The member 'params' is an object"],
  ["initialize", [CLIENT], "The member 'params' is an object"],
  ["ping", { _meta: { progressToken: {} } }, "The member 'params' is an object"],
  ["tools/list", { cursor: 5 }, "The member 'params.cursor' of 'tools/list'"],
  ["tools/list", { cursor: null }, "The member 'params.cursor' of 'tools/list'"],
  ["tools/list", 7, "The member 'params' is an object"],
  ["resources/list", { cursor: {} }, "The member 'params.cursor' of 'resources/list'"],
  ["resources/read", {}, "The member 'params.uri' of 'resources/read'"],
  ["tools/call", undefined, "The member 'params' of 'tools/call'"],
  ["tools/call", { name: 1 }, "The member 'params.name' of 'tools/call'"],
  [
    "tools/call",
    { name: "scim_server_info", arguments: [] },
    "The member 'params.arguments' of 'tools/call'",
  ],
];

describe.each([
  ["Streamable HTTP", overHttp],
  ["standard input", overStdio],
])("over %s", (_transport, sent) => {
  test.each(PARAMS)("%s with the params %j is told what to send", async (method, params, told) => {
    const request: JsonObject = {
      jsonrpc: "2.0",
      id: 4,
      method,
      ...(params === undefined ? {} : { params }),
    };
    const sentence = expect.stringMatching(/^The member 'params[^\n{]*\.$/);
    const answer = await sent(request);
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 4,
      error: { code: -32_602, message: sentence, data: expect.objectContaining({ status: 400 }) },
    });
    expect(answer).toMatchObject({ error: { message: expect.stringContaining(told) } });
  });

  test.each<[JsonValue, JsonValue]>([
    [7, null],
    [[], null],
    [{ jsonrpc: "1.0", id: 3, method: "ping" }, 3],
    [{ jsonrpc: "2.0", id: 3, result: {}, params: 7 }, 3],
  ])("%j is no message", async (body, id) => {
    expect(await sent(body)).toMatchObject({ id, error: { code: -32_600 } });
  });
});

test("a request with wrong params keeps the others of a batch from nothing", async () => {
  const batch = [
    { jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: 5 } },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ];
  expect(await overHttp(batch)).toMatchObject([
    { id: 1, error: { code: -32_602 } },
    { id: 2, result: {} },
  ]);
});

describe("messages over Streamable HTTP", () => {
  const empty = (length: number): JsonObject[] => Array.from({ length }, () => ({}));
  const named = (length: number): JsonObject =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`k${at}`, 1]));
  const asked = (method: string, params: JsonObject, id = 1): JsonObject => ({
    jsonrpc: "2.0",
    id,
    method,
    params,
  });

  test.each<[string, JsonValue]>([
    ["many icons of a client", asked("initialize", { ...CLIENT, clientInfo: { icons: empty(300_000) } })],
    ["much metadata", asked("ping", { _meta: named(10_000) })],
    ["many members", { ...asked("ping", {}), ...named(10_000) }],
    ["many arguments", asked("tools/call", { name: "scim_server_info", arguments: named(10_000) })],
    ["much, in several", [1, 2].map((id) => asked("ping", { _meta: named(5000) }, id))],
  ])("with %s are refused before the SDK goes through them", async (_what, body) => {
    const message = expect.stringContaining("more than 10000 members");
    expect(await overHttp(body)).toMatchObject({ id: null, error: { code: -32_600, message } });
  });

  test("may hold what tools are given, however much it is", async () => {
    const user = { userName: "ann", emails: empty(20_000) };
    const call = asked("tools/call", { name: "scim_create_user", arguments: { user_data: user } });
    expect(await overHttp(call)).toMatchObject({ id: 1, result: { isError: true } });
  });
});

describe("a batch over Streamable HTTP", () => {
  const ping = (id: JsonValue): JsonObject => ({ jsonrpc: "2.0", id, method: "ping" });
  const cancelled = (requestId: JsonValue): JsonObject => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId },
  });

  test.each<[string, JsonValue[]]>([
    ["behind it", [ping(1), cancelled(1), ping(2)]],
    ["before it", [cancelled(1), ping(1), ping(2)]],
  ])("answers a request although its cancellation comes %s", async (_where, batch) => {
    expect(await overHttp(batch)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: {} },
    ]);
  });

  test.each<[string, JsonValue]>([
    ["one", cancelled(1)],
    ["a batch of them", [cancelled(1), cancelled(2)]],
  ])("takes cancellations alone: %s", async (_what, body) => {
    const answer = await answeredOverHttp(body);
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
  });

  test.each<[string, JsonValue[]]>([
    ["as numbers", [ping(1), ping(2), ping(1)]],
    ["as texts", [ping("a"), ping("a")]],
  ])("is refused whole where an id occurs twice, %s", async (_form, batch) => {
    const answer = await answeredOverHttp(batch);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      id: null,
      error: { code: -32_600, message: expect.stringContaining("id of its own"), data: { status: 400 } },
    });
  });

  test("answers a request that is called as a cancellation", async () => {
    expect(await overHttp([{ ...cancelled(1), id: 3 }, ping(2)])).toMatchObject([
      { id: 3, error: { code: -32_601 } },
      { id: 2, result: {} },
    ]);
  });

  test("takes a number and the same number as a text for two ids", async () => {
    expect(await overHttp([ping(1), ping("1")])).toMatchObject([{ id: 1 }, { id: "1" }]);
  });
});
