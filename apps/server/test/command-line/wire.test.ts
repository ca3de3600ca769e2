import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { startServer, type RunningServer } from "../over-http/server.ts";

const ERROR_URN = "urn:ietf:params:scim:api:messages:2.0:Error";
let server: RunningServer;
let token: string;
beforeAll(async () => {
  server = await startServer();
  ({ token } = server);
});
afterAll(() => server.stop());

/** Sends bytes and reads until the server closes. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return text(socket);
}

describe("what never reaches a route is answered with a SCIM Error too", () => {
  test.each([
    ["nonsense", "NONSENSE\r\n\r\n", 400],
    ["a bad length", "POST /scim/v2/Users HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400],
    ["no host", "GET /scim/v2/Users HTTP/1.1\r\n\r\n", 400],
    ["headers too large", `GET /scim/v2/Users?filter=${"x".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])("%s", async (_name, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^content-type: application\/scim\+json; charset=utf-8$/im);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({
      schemas: [ERROR_URN],
      status: String(status),
    });
  });

  test.each(["/scim", "/scim/v2x/Users", "/nothing", "/scim/v2/Users/%zz", "/%"])(
    "%s is 404",
    async (path) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await exchange(server.origin, { method: "GET", path, headers });
      expect(answer.body).toMatchObject({ schemas: [ERROR_URN], status: "404" });
      expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
    },
  );

  test("a filter of 60 KiB reaches the parser", async () => {
    const path = `/scim/v2/Users?filter=${"%78".repeat(20_000)}`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await exchange(server.origin, { method: "GET", path, headers })).body).toMatchObject({
      status: "400",
      scimType: "invalidFilter",
    });
  });

  test("a body of 10 MB is refused, stated or streamed", async () => {
    const headers = { authorization: `Bearer ${token}` };
    const body = "x".repeat(10_000_000);
    const stated = await exchange(server.origin, { method: "POST", path: "/scim/v2/Users", headers, body });
    expect(stated.body).toMatchObject({ schemas: [ERROR_URN], status: "413" });
    const streamed = await fetch(`${server.origin}/scim/v2/Users`, {
      method: "POST",
      headers,
      body: new Blob([body]).stream(),
      duplex: "half",
    });
    expect(streamed.status).toBe(413);
  });
});

// Each row has everything wrong from its layer on.
const ORDER: readonly (readonly [
  string,
  string,
  string,
  Readonly<Record<string, string>>,
  string | null,
  number,
])[] = [
  ["method", "DELETE", "/scim/v2/Users", {}, null, 405],
  ["authentication", "POST", "/scim/v2/Users", { "content-type": "text/plain" }, "{", 401],
  ["authentication, for a path that cannot be decoded", "GET", "/scim/v2/Users/%zz", {}, null, 401],
  ["method, for a path that cannot be decoded", "POST", "/scim/v2/Users/%zz", {}, null, 405],
  ["authentication, for a tenant that cannot be decoded", "GET", "/scim/%ff/v2/Users", {}, null, 401],
  ["the administrator, for a path that cannot be decoded", "GET", "/admin/v1/tenants/%zz", {}, null, 401],
  [
    "tenant",
    "POST",
    "/scim/other/v2/Users",
    { authorization: "ours", "content-type": "text/plain" },
    "{",
    404,
  ],
  ["media type", "POST", "/scim/v2/Users", { authorization: "ours", "content-type": "text/plain" }, "{", 415],
  ["size", "POST", "/scim/v2/Users", { authorization: "ours" }, "{".repeat(1_048_577), 413],
  ["JSON syntax", "PUT", "/scim/v2/Users/1", { authorization: "ours", "if-match": '"' }, "{", 400],
  ["schema", "PUT", "/scim/v2/Users/1", { authorization: "ours", "if-match": "x" }, "{}", 400],
  [
    "resource",
    "PUT",
    "/scim/v2/Users/1",
    { authorization: "ours", "if-match": "x" },
    '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"a"}',
    404,
  ],
];

describe("order of answers over HTTP", () => {
  test.each(ORDER)("%s", async (_layer, method, path, headers, body, status) => {
    const authorized =
      headers["authorization"] === "ours" ? { ...headers, authorization: `Bearer ${token}` } : headers;
    const answer = await exchange(server.origin, { method, path, headers: authorized, body });
    expect(answer.body).toMatchObject({ schemas: [ERROR_URN], status: String(status) });
    expect(answer.status).toBe(status);
  });
});

describe("health and log", () => {
  test("/healthz and /readyz need no token", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      expect(await exchange(server.origin, { method: "GET", path })).toMatchObject({
        status: 200,
        body: { status: "ok" },
      });
    }
  });

  test("R7644-7-01 the log shows routes, and no address, query, token or body", async () => {
    const headers = { authorization: `Bearer ${token}` };
    await exchange(server.origin, {
      method: "GET",
      path: "/scim/v2/Users?filter=userName+eq+%22t0psecret%22",
      headers,
    });
    await exchange(server.origin, { method: "GET", path: "/scim/v2/Users/t0psecret", headers });
    await exchange(server.origin, {
      method: "POST",
      path: "/scim/v2/Users",
      headers,
      body: '{"password":"t0psecret"',
    });
    await exchange(server.origin, { method: "GET", path: "/t0psecret", headers });
    // The log may come after the answer.
    const lines = (): readonly unknown[] =>
      server
        .stdout()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const line = (told: object): unknown => expect.objectContaining({ ...told, msg: "request" });
    await expect.poll(lines).toContainEqual(line({ method: "POST", route: "/Users", status: 400 }));
    expect(lines()).toContainEqual(line({ method: "GET", route: "/Users/{id}", status: 404 }));
    for (const each of lines()) expect(each).toHaveProperty("msg");
    const log = server.stdout();
    expect(log).not.toContain("t0psecret");
    expect(log).not.toContain(token.slice(-43));
  });

  test("the switches that fired stand in the log, and in the answer on request", async () => {
    const headers = { authorization: token, "scim-explain": "true" };
    const answer = await exchange(server.origin, { method: "GET", path: "/scim/v2/Users", headers });
    expect(answer.headers["scim-switches"]).toBe("bare-token");
    // The log may come after the answer.
    await expect
      .poll(() => server.stdout())
      .toContain('"switches":[{"name":"bare-token","path":"Authorization"}]');
  });
});

describe("locations", () => {
  const user = (name: string): string =>
    JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: name });

  test("follow the form of the address, and no header that a client made up", async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
    };
    for (const base of ["/scim/v2", "/scim/default/v2"]) {
      const answer = await exchange(server.origin, {
        method: "POST",
        path: `${base}/Users`,
        headers,
        body: user(base),
      });
      expect(answer.headers["location"]).toBe(`${server.origin}${base}/Users/${String(answer.body["id"])}`);
      expect(answer.body["meta"]).toMatchObject({ location: answer.headers["location"] });
    }
  });

  test.each([
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, "https://id.example", "https://id.example/scim/v2/Users/"],
    [
      { SCIM_TRUST_PROXY: "127.0.0.0/8" },
      "https://id.example:8443",
      "https://id.example:8443/scim/v2/Users/",
    ],
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, "javascript://id.example", null],
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, 'https://id.example/x"<', null],
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, "https://999.1.1.1", null],
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, "https://id.example:99999", null],
    [{ SCIM_TRUST_PROXY: "127.0.0.0/8" }, "https://[::::]", null],
    [{ SCIM_TRUST_PROXY: "10.0.0.1,::1" }, "https://id.example", null],
    [
      { SCIM_BASE_URL: "https://scim.example/idp/" },
      "https://id.example",
      "https://scim.example/idp/scim/v2/Users/",
    ],
  ])("with %j, where %s is forwarded", async (environment, forwarded, expected) => {
    const other = await startInProcess({
      SCIM_DATABASE_URL: "sqlite::memory:",
      SCIM_TOKEN: token,
      ...environment,
    });
    const [proto = "", host = ""] = forwarded.split("://");
    const headers = {
      authorization: `Bearer ${token}`,
      "x-forwarded-host": host,
      "x-forwarded-proto": proto,
    };
    const answer = await exchange(other.origin, {
      method: "POST",
      path: "/scim/v2/Users",
      headers,
      body: user("a"),
    });
    expect(answer.headers["location"]).toBe(
      `${expected ?? `${other.origin}/scim/v2/Users/`}${String(answer.body["id"])}`,
    );
  });

  test.each(["999.1.1.1", "id.example:99999", "[::::]"])(
    "and the origin of pages are those of the connection where a proxy hands on the host %s",
    async (host) => {
      const other = await startInProcess({
        SCIM_DATABASE_URL: "sqlite::memory:",
        SCIM_TOKEN: token,
        SCIM_TRUST_PROXY: "127.0.0.0/8",
      });
      const ask = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
        const media = { "content-type": "application/json", accept: "application/json, text/event-stream" };
        const answer = await exchange(other.origin, {
          method: "POST",
          path,
          headers: { ...media, ...headers },
          body,
        });
        return answer.status;
      };
      for (const path of ["/mcp", "/rpc"]) {
        for (const name of ["host", "x-forwarded-host"]) {
          const page = { [name]: host, origin: other.origin };
          const authorization = `Bearer ${token}`;
          expect([path, name, await ask(path, page)]).toEqual([path, name, 401]);
          expect([path, name, await ask(path, { ...page, authorization })]).toEqual([path, name, 200]);
          const foreign = { ...page, authorization, origin: "https://evil.example" };
          expect([path, name, await ask(path, foreign)]).toEqual([path, name, 403]);
        }
      }
    },
  );
});
