import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { connect, constants, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import express, { type Request as ExpressRequest } from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { createScimHandler, type BodyStream, type RequestRecord, type ScimHandler } from "../../src/index.ts";
import { createNodeHandler, inviteBodiesThatAreRead } from "../../src/node/index.ts";
import { FakeService, principalOf } from "../fake-service.ts";
import { echo } from "./echo.ts";
import { MOUNTS, NO_PREFIXES } from "./mounts.ts";

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Send = (
  path: string,
  sent?: Sent,
) => Promise<{
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly json: Record<string, unknown>;
  readonly origin: string;
}>;

/** Listens until the test is finished. */
async function listen(
  listener: RequestListener,
): Promise<{ readonly send: Send; readonly server: ReturnType<typeof createServer> }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // It listens on a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: Send = async (path, { method = "GET", headers = {}, body } = {}) => {
    const outgoing = httpRequest(origin, { method, path, headers, agent: false });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    const text = (await incoming.toArray()).join("");
    const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {};
    return { status: incoming.statusCode, headers: incoming.headers, text, json, origin };
  };
  return { send, server };
}

test("HTTP/2 is served as HTTP/1.1 is: addresses, bodies, and clients that go", async () => {
  const gone = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const waiting: ScimHandler = {
    ...echo,
    handle: async (asked) => {
      if (asked.target !== "/Users/late") return echo.handle(asked);
      const { signal } = asked;
      signal?.addEventListener("abort", () => gone.resolve());
      arrived.resolve();
      await gone.promise;
      return echo.handle(asked);
    },
  };
  const server = createHttp2Server(createNodeHandler(waiting, { prefix: "/scim/v2" })).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // It listens on a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = connect(origin);
  onTestFinished(() => client.destroy());
  const asked = client.request({ ":method": "POST", ":path": "/scim/v2/Users?x" });
  asked.end("{}");
  const [{ ":status": status }] = await once(asked, "response");
  expect(status).toBe(200);
  expect(JSON.parse((await asked.toArray()).join(""))).toMatchObject({
    target: "/Users?x",
    baseUrl: `${origin}/scim/v2`,
    address: "127.0.0.1",
  });
  const late = client.request({ ":path": "/scim/v2/Users/late" });
  late.on("error", () => undefined);
  await arrived.promise;
  late.close(constants.NGHTTP2_CANCEL);
  await gone.promise;
  const elsewhere = client.request({ ":path": "/Users" });
  const [headers] = await once(elsewhere, "response");
  expect(headers[":status"]).toBe(404);
});

describe("where requests go", () => {
  test.each(MOUNTS)("mounted at '%s', %s", async (prefix, path, found) => {
    const { send } = await listen(createNodeHandler(echo, { prefix }));
    const { status, json, origin } = await send(path);
    if (found === null) expect([status, json["status"]]).toEqual([404, "404"]);
    else {
      const { at, target, tenant = null } = found;
      expect(json).toMatchObject({ target, tenant, baseUrl: origin + at, address: "127.0.0.1" });
    }
  });

  test.each(NO_PREFIXES)("'%s' is no prefix", (prefix) => {
    expect(() => createNodeHandler(echo, { prefix })).toThrow(/prefix/);
  });

  test.each<readonly [string, string, string, string, string | null]>([
    ["/scim/v2", "/scim/v2/Users?x=/scim", "/scim/v2", "/Users?x=/scim", null],
    ["/scim/v2", "/SCIM/v2/Users/..%2FMe", "/SCIM/v2", "/Users/..%2FMe", null],
    ["/scim/v2", "/scim/v2", "/scim/v2", "", null],
    ["/scim/v2", "/scim/v2/", "/scim/v2", "/", null],
    ["/scim/v2", "/scim/v2?count=0", "/scim/v2", "?count=0", null],
    ["/scim/:tenant/v2", "/scim/a%2Fb/v2/Users", "/scim/a%2Fb/v2", "/Users", "a/b"],
    ["/", "/Users/1", "", "/Users/1", null],
  ])("Express has cut '%s' off %s", async (mount, path, at, target, tenant) => {
    const app = express();
    app.use(mount, createNodeHandler(echo));
    const { send } = await listen(app);
    const { json, origin } = await send(path);
    expect(json).toMatchObject({ target, tenant, baseUrl: origin + at });
  });

  test.each<readonly [rewritten: string, path: string, at: string, target: string]>([
    ["/scim/v2/Users?count=1", "/scim/v2/Users", "/scim/v2", "/Users?count=1"],
    ["/scim/v2/Users?x=1&count=1", "/scim/v2/Users?x=1", "/scim/v2", "/Users?x=1&count=1"],
    ["/scim/v2/Users", "/scim/v2/Users?x=1", "/scim/v2", "/Users"],
    ["/scim/v2/Users", "/scim/v2/Me?x=/Users", "/scim/v2", "/Users"],
    ["/scim/v2?count=1", "/scim/v2", "/scim/v2", "/?count=1"],
    ["/scim/v2", "/scim/v2?x=1", "/scim/v2", "/"],
    ["/scim/v2/Users/1", "/legacy/people/1", "/scim/v2", "/Users/1"],
    ["/scim/v2/Users", "/legacy/MyUsers", "/scim/v2", "/Users"],
    // What the mount alone was exchanged for is where the client is.
    ["/scim/v2/Users/1", "/legacy/Users/1", "/legacy", "/Users/1"],
  ])("a middleware makes '%s' of %s", async (rewritten, path, at, target) => {
    const app = express();
    app.use((request, _response, next) => {
      request.url = rewritten;
      next();
    });
    app.use("/scim/v2", createNodeHandler(echo));
    const { send } = await listen(app);
    const { json, origin } = await send(path);
    expect(json).toMatchObject({ target, baseUrl: origin + at });
  });

  test("a router in a router, and the whole address in the request line", async () => {
    const app = express();
    app.use("/api", express.Router().use("/scim/v2", createNodeHandler(echo)));
    const { send } = await listen(app);
    const { json, origin } = await send("/api/scim/v2/Users?x");
    expect(json).toMatchObject({ target: "/Users?x", baseUrl: `${origin}/api/scim/v2` });
    expect((await send(`${origin}/api/scim/v2/Users?x`)).json).toMatchObject({ target: "/Users?x" });
  });

  test("with a prefix as middleware, all else goes on", async () => {
    const app = express();
    app.use(createNodeHandler(echo, { prefix: "/scim/v2" }));
    app.get("/app", (_request, response) => void response.send("own"));
    const { send } = await listen(app);
    expect((await send("/app")).text).toBe("own");
    expect((await send("/scim/v2/Me")).json).toMatchObject({ target: "/Me" });
  });

  test("with a prefix, an address that a middleware has rewritten is looked at as it is then", async () => {
    const app = express();
    app.use((request, _response, next) => {
      request.url = request.url.replace("/legacy/people", "/scim/v2/Users").concat("?count=1");
      next();
    });
    app.use(createNodeHandler(echo, { prefix: "/scim/v2" }));
    const { send } = await listen(app);
    for (const path of ["/legacy/people", "/scim/v2/Users"]) {
      const { json, origin } = await send(path);
      expect(json).toMatchObject({ target: "/Users?count=1", baseUrl: `${origin}/scim/v2` });
    }
  });
});

test("options see the request of the framework", async () => {
  const app = express();
  app.set("trust proxy", true);
  const scim = createNodeHandler(echo, {
    tenant: "acme",
    connection: "okta",
    publicUrl: ({ protocol, host }: ExpressRequest) => `${protocol}://${host}/`,
    address: ({ ip }: ExpressRequest) => ip,
    requestId: (request: ExpressRequest) => request.get("x-request-id") ?? "none",
  });
  app.use("/scim/v2", scim);
  const { send } = await listen(app);
  const forwarded = {
    "x-forwarded-proto": "https",
    "x-forwarded-host": "id.example",
    "x-forwarded-for": "192.0.2.1",
  };
  expect((await send("/scim/v2/Me", { headers: { ...forwarded, "x-request-id": "7" } })).json).toMatchObject({
    baseUrl: "https://id.example/scim/v2",
    address: "192.0.2.1",
    id: "7",
    tenant: "acme",
    connection: "okta",
  });
});

const BODY = '{ "a": 1, "b": "Zoë" }';
const PARSED = '{"a":1,"b":"Zoë"}';
const keepRaw = (request: IncomingMessage, _response: unknown, bytes: Buffer): void =>
  void Object.assign(request, { rawBody: bytes });

/** Does not keep what it reads. */
const counter: RequestListener = (request) => void request.resume();

describe("bodies", () => {
  test.each<readonly [string, express.RequestHandler, string, string]>([
    ["no parser", (_request, _response, next) => next(), "application/json", BODY],
    ["express.json(), for SCIM", express.json(), "application/scim+json", BODY],
    ["express.json(), for JSON", express.json(), "application/json", PARSED],
    ["express.json() that keeps bytes", express.json({ verify: keepRaw }), "application/json", BODY],
    ["express.raw()", express.raw({ type: "*/*" }), "application/json", BODY],
    ["express.text()", express.text({ type: "*/*" }), "application/json", BODY],
  ])("behind %s", async (_name, parser, type, body) => {
    const app = express();
    app.use(parser);
    app.use("/scim/v2", createNodeHandler(echo));
    const { send } = await listen(app);
    const headers = { "content-type": type };
    expect((await send("/scim/v2/Users", { method: "POST", headers, body: BODY })).json["body"]).toBe(body);
    expect((await send("/scim/v2/Users")).json["body"]).toBe("");
  });

  test("that were read and not kept are said to be", async () => {
    const app = express();
    app.use((request, response, next) => {
      counter(request, response);
      request.on("end", next);
    });
    app.use("/scim/v2", createNodeHandler(createScimHandler(options())));
    const { send } = await listen(app);
    const headers = { authorization: "Bearer token:scim", "content-type": "application/json" };
    const { status, json } = await send("/scim/v2/Users", { method: "POST", headers, body: BODY });
    expect([status, json["detail"]]).toEqual([500, expect.stringContaining("mount SCIM before")]);
  });

  test("that nest deeper than they can be written again are refused", async () => {
    const app = express();
    app.use(express.json());
    app.use("/scim/v2", createNodeHandler(createScimHandler(options())));
    const { send } = await listen(app);
    const headers = { authorization: "Bearer token:scim", "content-type": "application/json" };
    const body = `${"[".repeat(45_000)}${"]".repeat(45_000)}`;
    const { status, json } = await send("/scim/v2/Users", { method: "POST", headers, body });
    expect([status, json["scimType"]]).toEqual([400, "invalidSyntax"]);
  });

  test.each([
    ["Bearer other", 401, 0],
    ["Bearer token:scim", 201, 1],
  ])(
    "of a client that waits, with '%s', are invited when they are read",
    async (authorization, status, invited) => {
      const { server } = await listen(createNodeHandler(createScimHandler(options())));
      inviteBodiesThatAreRead(server);
      const { port } = server.address() as AddressInfo;
      const headers = { authorization, "content-type": "application/json", expect: "100-continue" };
      const outgoing = httpRequest({ port, method: "POST", path: "/Users", headers, agent: false });
      let continued = 0;
      outgoing.on("continue", () => {
        continued += 1;
        outgoing.end("{}");
      });
      outgoing.flushHeaders();
      const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
      incoming.resume();
      await once(incoming, "end");
      outgoing.destroy();
      expect([incoming.statusCode, continued]).toEqual([status, invited]);
    },
  );
});

function options(records: RequestRecord[] = []): Parameters<typeof createScimHandler>[0] {
  return {
    service: new FakeService(),
    authenticate: async (token) => principalOf(token),
    onRequestDone: (record) => void records.push(record),
  };
}

describe("what happens in the application", () => {
  test("headers that it sets are sent beside", async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.setHeader("x-frame-options", "DENY");
      next();
    });
    app.use(createNodeHandler(echo));
    const { send } = await listen(app);
    const { headers, text } = await send("/Me");
    expect(headers).toMatchObject({ "x-frame-options": "DENY", etag: 'W/"v1"' });
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  });

  test("an option that throws is told to the log", async () => {
    const records: RequestRecord[] = [];
    const fault = new Error("no such host");
    const publicUrl = (): string => {
      throw fault;
    };
    const { send } = await listen(createNodeHandler(createScimHandler(options(records)), { publicUrl }));
    expect((await send("/Users", { headers: { authorization: "Bearer token:scim" } })).status).toBe(500);
    expect(records).toEqual([expect.objectContaining({ status: 500, failure: fault })]);
  });

  test("what cannot even be named is the application's error", async () => {
    const app = express();
    app.use(
      createNodeHandler(echo, {
        requestId: () => {
          throw new Error("no id");
        },
      }),
    );
    app.use(
      ((error: Error, _request, response, _next) =>
        void response.status(500).send(error.message)) satisfies express.ErrorRequestHandler,
    );
    const { send } = await listen(app);
    expect((await send("/Me")).text).toBe("no id");
  });

  test("an answer that it has given meanwhile stands, and the other is given up", async () => {
    const given = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<string>();
    const body: BodyStream = {
      signal: new AbortController().signal,
      cancel: async () => cancelled.resolve("cancelled"),
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
    };
    const late: ScimHandler = {
      handle: async () => {
        await given.promise;
        return { status: 200, headers: {}, body };
      },
    };
    const scim = createNodeHandler(late);
    const { send } = await listen((request, response) => {
      scim(request, response);
      response.writeHead(503).end("timed out");
    });
    expect((await send("/Users")).text).toBe("timed out");
    given.resolve();
    expect(await cancelled.promise).toBe("cancelled");
  });
});
