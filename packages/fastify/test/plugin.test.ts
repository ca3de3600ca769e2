import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { createGunzip, gzipSync } from "node:zlib";
import type { HttpRequest, HttpResponse, ScimHandler } from "@scim/http";
import { ScimError } from "@scim/schemas";
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { scimPlugin, type ScimPluginOptions } from "../src/index.ts";

const SCIM = "application/scim+json; charset=utf-8";

/** A handler that answers with what it was asked. */
const echo: ScimHandler = {
  handle: async (request) => ({
    status: request.method === "POST" ? 201 : 200,
    headers: { "content-type": SCIM, etag: 'W/"v1"' },
    body: request.method === "HEAD" ? null : JSON.stringify(await seen(request)),
  }),
};

async function seen(request: HttpRequest) {
  const { method, target, tenant, connection, baseUrl, address, id } = request;
  const chunks: Uint8Array[] = [];
  if (request.body instanceof Uint8Array) chunks.push(request.body);
  else for await (const chunk of request.body ?? []) chunks.push(chunk);
  return {
    method,
    target,
    tenant,
    connection,
    baseUrl,
    address,
    id,
    contentType: request.headers["content-type"] ?? null,
    body: Buffer.concat(chunks).toString(),
  };
}

let app: FastifyInstance;
afterEach(() => app.close());

test("a program without types is told that it gives no handler when the application starts", async () => {
  app = Fastify();
  // What the compiler would refuse.
  app.register(scimPlugin, { prefix: "/scim/v2" } as never);
  await expect(app.ready()).rejects.toThrow("scimPlugin needs 'handler'");
});

async function listen(
  prefix: string,
  options: Partial<ScimPluginOptions> = {},
  server: FastifyServerOptions = {},
): Promise<string> {
  app = Fastify(server);
  app.addHook("onRequest", async (request) => {
    if (request.headers["x-limited"] !== undefined)
      throw Object.assign(new Error("Slow down."), { statusCode: 429 });
    if (request.headers["x-refused"] !== undefined)
      throw new ScimError("tooManyRequests", "Too many.", { headers: { "Retry-After": "7" } });
    if (request.headers["x-barred"] !== undefined)
      throw Object.assign(new Error("Not from there."), { status: 403 });
    if (request.headers["x-status"] !== undefined)
      throw Object.assign(new Error("secret"), { statusCode: Number(request.headers["x-status"]) });
    if (request.headers["x-broken"] !== undefined) throw new Error("secret: the database is at 10.0.0.1");
  });
  await app.register(scimPlugin, { prefix, handler: echo, ...options });
  app.get("/app", async () => ({ own: true }));
  return app.listen({ port: 0 });
}

/** Sends without any mending of path or headers. */
async function send(
  origin: string,
  wire: { method?: string; path: string; headers?: Record<string, string>; body?: string | Uint8Array },
) {
  const outgoing = httpRequest(origin, {
    method: wire.method ?? "GET",
    path: wire.path,
    headers: wire.headers ?? {},
  });
  outgoing.end(wire.body);
  const [incoming] = await once(outgoing, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    text,
    json: text === "" ? null : JSON.parse(text),
  };
}

describe("what the handler is given", () => {
  test.each([
    ["/scim/v2", "/scim/v2/Users?filter=a+b", "/Users?filter=a+b", null, "/scim/v2"],
    ["/scim/v2", "/scim/v2/Users/..%2FGroups", "/Users/..%2FGroups", null, "/scim/v2"],
    ["/scim/v2", "/scim/v2/Users/a%20b?x=/y/z", "/Users/a%20b?x=/y/z", null, "/scim/v2"],
    ["/scim/v2", "/scim/v2/", "/", null, "/scim/v2"],
    ["/scim/v2", "/scim/v2", "", null, "/scim/v2"],
    ["/scim/v2", "/scim/v2?x=/y", "?x=/y", null, "/scim/v2"],
    ["/scim/v2/", "/scim/v2/Users", "/Users", null, "/scim/v2"],
    ["/scim/:tenant/v2", "/scim/acme/v2/Users", "/Users", "acme", "/scim/acme/v2"],
    ["/:tenant", "/acme/Users/1", "/Users/1", "acme", "/acme"],
    ["", "/Users/1", "/Users/1", null, ""],
    ["/scim/v2", `/scim/v2/Users/${"x".repeat(300)}`, `/Users/${"x".repeat(300)}`, null, "/scim/v2"],
  ])("R7644-3.13-03 mounted at '%s', %s has target %s", async (prefix, path, target, tenant, mounted) => {
    const origin = await listen(prefix);
    expect((await send(origin, { path })).json).toMatchObject({
      method: "GET",
      target,
      tenant,
      baseUrl: `${origin}${mounted}`,
    });
  });

  test.each(["", "/", "?filter=id+pr", "/?filter=id+pr"])(
    "R7644-3.4.2-04 the mount itself is an address: /scim/v2%s",
    async (end) => {
      const origin = await listen("/scim/v2");
      const { json } = await send(origin, { path: `/scim/v2${end}` });
      expect(json).toMatchObject({ target: end, baseUrl: `${origin}/scim/v2` });
    },
  );

  test.each([
    ["/legacy/scim", "/legacy/scim/Users", { tenant: "acme" }, null],
    ["/legacy/scim", "/legacy/scim/Users", { tenant: "acme", connection: "hr" }, "hr"],
    ["/scim/:tenant/v2", "/scim/other/v2/Users", { tenant: "acme" }, null],
  ])("mounted at '%s', %s is of what %j says", async (prefix, path, options, connection) => {
    const origin = await listen(prefix, options);
    expect((await send(origin, { path })).json).toMatchObject({
      target: "/Users",
      tenant: "acme",
      connection,
    });
  });

  test("the id that Fastify gave it", async () => {
    const origin = await listen("/scim/v2", {}, { genReqId: () => "request-7" });
    expect((await send(origin, { path: "/scim/v2/Users" })).json).toMatchObject({ id: "request-7" });
  });

  test("R7644-3.13-03 a mount without a version is the latest, and says so in no address", async () => {
    const origin = await listen("/scim");
    const { json } = await send(origin, { path: "/scim/Users/1" });
    expect(json).toMatchObject({ target: "/Users/1", baseUrl: `${origin}/scim` });
  });

  test("the whole address in the request line", async () => {
    const origin = await listen("/scim/v2");
    expect((await send(origin, { path: `${origin}/scim/v2/Users?x` })).json).toMatchObject({
      target: "/Users?x",
    });
  });

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "SEARCH", "QUERY"])(
    "method %s",
    async (method) => {
      const origin = await listen("/scim/v2");
      expect((await send(origin, { method, path: "/scim/v2/Users/1" })).json).toMatchObject({
        method,
        target: "/Users/1",
      });
    },
  );

  test.each([
    ["application/scim+json"],
    ["application/json"],
    ["text/plain"],
    ["nonsense"],
    ["; ;"],
    ["multipart/form-data"],
    [undefined],
  ])("a body of type '%s' arrives raw", async (contentType) => {
    const origin = await listen("/scim/v2");
    const headers = contentType === undefined ? {} : { "content-type": contentType };
    const body = '{"broken';
    const response = await send(origin, { method: "POST", path: "/scim/v2/Users", headers, body });
    expect(response.status).toBe(201);
    expect(response.json).toMatchObject({ contentType: contentType ?? null, body });
  });

  test("a body that a hook of the application unpacks arrives unpacked", async () => {
    app = Fastify();
    app.addHook("preParsing", async (_request, _reply, payload) => payload.pipe(createGunzip()));
    await app.register(scimPlugin, { prefix: "/scim/v2", handler: echo });
    const origin = await app.listen({ port: 0 });
    const headers = { "content-type": SCIM, "content-encoding": "gzip" };
    const sent = { method: "POST", path: "/scim/v2/Users", headers, body: gzipSync('{"a":1}') };
    expect((await send(origin, sent)).json).toMatchObject({ body: '{"a":1}' });
  });

  test("a body larger than Fastify's own limit is the handler's concern", async () => {
    const origin = await listen("/scim/v2", {}, { bodyLimit: 10 });
    const body = "x".repeat(100_000);
    expect((await send(origin, { method: "PUT", path: "/scim/v2/Users/1", body })).json).toMatchObject({
      body,
    });
  });

  test.each<[ScimPluginOptions["publicUrl"], string]>([
    ["https://id.example", "https://id.example/scim/v2"],
    ["https://id.example/api/", "https://id.example/api/scim/v2"],
    [(request) => `https://${request.method}.example`, "https://GET.example/scim/v2"],
  ])("the public address", async (publicUrl, baseUrl) => {
    const origin = await listen("/scim/v2", publicUrl === undefined ? {} : { publicUrl });
    expect((await send(origin, { path: "/scim/v2/Users" })).json).toMatchObject({ baseUrl });
  });

  test("forwarded headers count where Fastify trusts the proxy", async () => {
    const headers = {
      "x-forwarded-proto": "https",
      "x-forwarded-host": "id.example",
      "x-forwarded-for": "203.0.113.7",
    };
    const trusting = await listen("/scim/v2", {}, { trustProxy: true });
    expect((await send(trusting, { path: "/scim/v2/Users", headers })).json).toMatchObject({
      baseUrl: "https://id.example/scim/v2",
      address: "203.0.113.7",
    });
    await app.close();
    const origin = await listen("/scim/v2");
    expect((await send(origin, { path: "/scim/v2/Users", headers })).json).toMatchObject({
      baseUrl: `${origin}/scim/v2`,
      address: expect.stringMatching(/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/),
    });
  });
});

describe("what the client gets", () => {
  test("status, headers and body as the handler made them", async () => {
    const origin = await listen("/scim/v2");
    const response = await send(origin, { method: "POST", path: "/scim/v2/Users", body: "{}" });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ "content-type": SCIM, etag: 'W/"v1"' });
  });

  test.each([
    [204, { etag: 'W/"v1"' }, undefined],
    [304, { etag: 'W/"v1"' }, undefined],
    [200, { "content-length": "17" }, "17"],
  ])("HEAD and %i have no body", async (status, headers, length) => {
    const handler: ScimHandler = { handle: async () => ({ status, headers, body: null }) };
    const origin = await listen("/scim/v2", { handler });
    const response = await send(origin, { method: "HEAD", path: "/scim/v2/Users" });
    expect(response).toMatchObject({ status, headers, text: "" });
    expect(response.headers["content-length"]).toBe(length);
  });

  test("an error of a hook of the application is a SCIM Error", async () => {
    const origin = await listen("/scim/v2");
    const limited = await send(origin, { path: "/scim/v2/Users", headers: { "x-limited": "1" } });
    expect(limited.headers["content-type"]).toBe(SCIM);
    expect(limited.json).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "429",
      detail: "Slow down.",
    });
    const refused = await send(origin, { path: "/scim/v2/Users", headers: { "x-refused": "1" } });
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "7" } });
    expect(refused.json).toMatchObject({ status: "429", detail: "Too many." });
    const barred = await send(origin, { path: "/scim/v2/Users", headers: { "x-barred": "1" } });
    expect(barred.json).toMatchObject({ status: "403", detail: "Not from there." });
    const broken = await send(origin, { path: "/scim/v2/Users", headers: { "x-broken": "1" } });
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain("secret");
  });

  test.each([
    [500, "500"],
    [503, "503"],
    [599, "599"],
    // What is no status of an error.
    [200, "500"],
    [600, "500"],
  ])("an error of a hook with the status %i is told as %s, and logged", async (given, status) => {
    const logged: string[] = [];
    const stream = { write: (line: string) => void logged.push(line) };
    const origin = await listen("/scim/v2", {}, { logger: { level: "error", stream } });
    const failed = await send(origin, { path: "/scim/v2/Users", headers: { "x-status": String(given) } });
    expect([failed.status, failed.headers["content-type"]]).toEqual([Number(status), SCIM]);
    expect(failed.json).toMatchObject({ status, detail: "The service failed to answer." });
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { msg: "request failed", err: { message: "secret" } },
    ]);
    await send(origin, { path: "/scim/v2/Users", headers: { "x-limited": "1" } });
    expect(logged).toHaveLength(1);
  });

  test("without a prefix, what no route takes is the application's to answer", async () => {
    app = Fastify();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ own: true }));
    await app.register(scimPlugin, { prefix: "", handler: echo });
    const origin = await app.listen({ port: 0 });
    expect((await send(origin, { path: "/Users" })).json).toMatchObject({ target: "/Users" });
    const unknown = await send(origin, { method: "PROPFIND", path: "/Users" });
    expect(unknown).toMatchObject({ status: 404, json: { own: true } });
  });

  test("the rest of the application is left alone", async () => {
    const origin = await listen("/scim/v2");
    expect((await send(origin, { path: "/app" })).json).toEqual({ own: true });
    expect((await send(origin, { path: "/nothing" })).json).toMatchObject({ statusCode: 404 });
    // Its JSON parser is still there.
    const json = { "content-type": "application/json" };
    expect((await send(origin, { method: "POST", path: "/app", headers: json, body: "{" })).status).toBe(400);
  });

  test("two mounts stand side by side", async () => {
    app = Fastify();
    await app.register(scimPlugin, { prefix: "/scim/v2", handler: echo });
    await app.register(scimPlugin, { prefix: "/scim/:tenant/v2", handler: echo });
    const both = await app.listen({ port: 0 });
    expect((await send(both, { path: "/scim/v2/Users" })).json).toMatchObject({
      tenant: null,
      target: "/Users",
    });
    expect((await send(both, { path: "/scim/acme/v2/Users" })).json).toMatchObject({
      tenant: "acme",
      target: "/Users",
    });
  });
});

/** A connection that the server knows of. */
async function connected(port: number): Promise<Socket> {
  const known = once(app.server, "connection");
  const socket = connect(port, "127.0.0.1");
  await Promise.all([known, once(socket, "connect")]);
  return socket;
}

test("answers that are ready in one turn of the event loop are sent together", async () => {
  const order: string[] = [];
  const telling: ScimHandler = {
    handle: async (request) => {
      order.push(`made ${request.target}`);
      return echo.handle(request);
    },
  };
  app = Fastify();
  app.addHook("onSend", async ({ url }) => {
    order.push(`sent ${url}`);
  });
  await app.register(scimPlugin, { prefix: "/scim", handler: telling });
  const { port } = new URL(await app.listen({ port: 0 }));
  const sockets = [await connected(Number(port)), await connected(Number(port))];
  // Both requests are there when the server looks next.
  for (const [index, socket] of sockets.entries())
    socket.write(`GET /scim/${"ab".charAt(index)} HTTP/1.1\r\nhost: test\r\n\r\n`);
  await Promise.all(sockets.map(async (socket) => once(socket, "data")));
  for (const socket of sockets) socket.destroy();
  expect(order).toEqual(["made /a", "made /b", "sent /scim/a", "sent /scim/b"]);
});

test.each<[string, Partial<HttpResponse>]>([
  ["headers", { headers: { "x-broken": "a\nb" } }],
  ["status", { status: 42 }],
])("an answer whose %s cannot be sent is a 500, and no silence", async (_, part) => {
  const broken: ScimHandler = { handle: async () => ({ status: 200, headers: {}, body: "{}", ...part }) };
  const answer = await send(await listen("/scim", { handler: broken }), { path: "/scim/Users" });
  expect(answer.status).toBe(500);
});
