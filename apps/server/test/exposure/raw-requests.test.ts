import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const TOKEN = newToken();

async function start() {
  const [sqlite] = ENGINES;
  const database = await sqlite?.make();
  return startInProcess({ ...database?.environment, SCIM_TOKEN: TOKEN });
}

/** Sends bytes as they are. Resolves to everything that comes until the connection ends. */
async function send(origin: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  await once(socket, "connect");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
  // What was refused may still be on its way when the connection ends.
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return answer;
}

/** A request of lines, to a connection that ends with the answer. */
function request(first: string, headers: readonly string[], body = ""): string {
  return [`${first} HTTP/1.1`, "Host: scim.example", "Connection: close", ...headers, "", body].join("\r\n");
}

const BEARER = `Authorization: Bearer ${TOKEN}`;
const JSON_TYPE = "Content-Type: application/scim+json";
const SMUGGLED = "0\r\n\r\nGET /admin/v1/audit HTTP/1.1\r\nHost: scim.example\r\n\r\n";

/** What keeps browsers and caches from making of an answer what it is not. */
const SECURE = [
  "x-content-type-options: nosniff",
  "content-security-policy: default-src 'none'; frame-ancestors 'none'",
  "cache-control: no-store",
];

const REQUESTS: readonly (readonly [title: string, text: string, answer: RegExp])[] = [
  [
    "a length and chunks, between which another request hides",
    request(
      "POST /scim/v2/Users",
      [BEARER, JSON_TYPE, "Content-Length: 4", "Transfer-Encoding: chunked"],
      SMUGGLED,
    ),
    /^HTTP\/1\.1 400 /,
  ],
  [
    "two lengths",
    request("POST /scim/v2/Users", [BEARER, JSON_TYPE, "Content-Length: 2", "Content-Length: 60"], "{}"),
    /^HTTP\/1\.1 400 /,
  ],
  [
    "an unknown coding of transfer",
    request("POST /scim/v2/Users", [BEARER, JSON_TYPE, "Transfer-Encoding: xchunked"], SMUGGLED),
    /^HTTP\/1\.1 400 /,
  ],
  [
    "a header with a bare carriage return",
    request("GET /scim/v2/Users", [BEARER, "X-A: b\rX-C: d"]),
    /^HTTP\/1\.1 400 /,
  ],
  [
    "a header with a null character",
    request("GET /scim/v2/Users", [BEARER, "X-A: b\0c"]),
    /^HTTP\/1\.1 400 /,
  ],
  [
    "headers that are short, and too many",
    request("GET /scim/v2/Users", [BEARER, ...Array.from({ length: 3000 }, (_, n) => `X-${n}: a`)]),
    /^HTTP\/1\.1 431 [^]* or too many;/,
  ],
  ["a header without a name", request("GET /scim/v2/Users", [BEARER, ": b"]), /^HTTP\/1\.1 400 /],
  ["no host", "GET /scim/v2/Users HTTP/1.1\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 400 /],
  [
    "headers of 100 kB",
    request("GET /scim/v2/Users", [BEARER, `X-A: ${"a".repeat(100_000)}`]),
    /^HTTP\/1\.1 431 /,
  ],
  [
    "a token of 100 kB",
    request("GET /scim/v2/Users", [`Authorization: Bearer ${"a".repeat(100_000)}`]),
    /^HTTP\/1\.1 431 /,
  ],
  [
    "a token of 50 kB",
    request("GET /scim/v2/Users", [`Authorization: Bearer ${"a".repeat(50_000)}`]),
    /^HTTP\/1\.1 401 /,
  ],
  ["the opening of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", /^HTTP\/1\.1 400 /],
  ["TLS where none is spoken", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", /^HTTP\/1\.1 400 /],
  [
    "an address that climbs to the admin API",
    request("GET /scim/v2/../../admin/v1/audit", [BEARER]),
    /^HTTP\/1\.1 404 /,
  ],
  [
    "an address that climbs percent-encoded",
    request("GET /scim/v2/%2e%2e/%2e%2e/admin/v1/audit", [BEARER]),
    /^HTTP\/1\.1 404 /,
  ],
  [
    "the admin API, percent-encoded",
    request("GET /%61dmin/v1/audit?tenant=default", [BEARER]),
    /^HTTP\/1\.1 403 /,
  ],
  [
    "the admin API in absolute form",
    request("GET http://scim.example/admin/v1/audit?tenant=default", [BEARER]),
    /^HTTP\/1\.1 403 /,
  ],
  ["an address that begins as the admin API", request("GET /admin/v10", [BEARER]), /^HTTP\/1\.1 404 /],
  [
    "an address with a fragment, behind which another hides",
    request("GET /scim/v2#/Users", [BEARER]),
    /^HTTP\/1\.1 400 [^]*without '#'/,
  ],
  ["an address with two slashes", request("GET //scim/v2/Users", [BEARER]), /^HTTP\/1\.1 404 /],
  ["an address with a backslash", request("GET /scim\\v2\\Users", [BEARER]), /^HTTP\/1\.1 404 /],
  ["an address in other letters", request("GET /SCIM/v2/Users", [BEARER]), /^HTTP\/1\.1 404 /],
  [
    "a line end in an id",
    request("GET /scim/v2/Users/a%0d%0aSet-Cookie:%20a=b", [BEARER]),
    /^HTTP\/1\.1 404 /,
  ],
  [
    "a line end in a tenant",
    request("GET /scim/a%0d%0aSet-Cookie:%20a=b/v2/Users", [BEARER]),
    /^HTTP\/1\.1 404 /,
  ],
  [
    "two hosts, of which a proxy may read the other",
    request("GET /scim/v2/Users", [BEARER, "HOST: other.example"]),
    /^HTTP\/1\.1 400 /,
  ],
  ["two tokens", request("GET /scim/v2/Users", [BEARER, "Authorization: Bearer other"]), /^HTTP\/1\.1 400 /],
  [
    "two kinds of body",
    request(
      "POST /scim/v2/Users",
      [BEARER, JSON_TYPE, "Content-Type: text/plain", "Content-Length: 2"],
      "{}",
    ),
    /^HTTP\/1\.1 400 [^]*stands twice/,
  ],
  [
    "a coding of transfer that nobody undoes",
    request(
      "POST /scim/v2/Users",
      [BEARER, JSON_TYPE, "Transfer-Encoding: gzip, chunked"],
      "2\r\n{}\r\n0\r\n\r\n",
    ),
    /^HTTP\/1\.1 501 /,
  ],
  [
    "an expectation that nobody meets",
    request("GET /scim/v2/Users", [BEARER, "Expect: 200-ok"]),
    /^HTTP\/1\.1 417 [^]*urn:ietf:params:scim:api:messages:2\.0:Error/,
  ],
  ["TRACE", request("TRACE /scim/v2/Users", [BEARER]), /^HTTP\/1\.1 40[45] /],
  ["CONNECT", request("CONNECT example.com:443", [BEARER]), /^(?:HTTP\/1\.1 4\d\d |$)/],
];

describe("a request that is made to mislead", () => {
  test.each(REQUESTS)(
    "%s is refused, nothing of it comes back, and others are served",
    async (_, text, expected) => {
      const server = await start();
      const answer = await send(server.origin, text);
      expect(answer).toMatch(expected);
      expect(answer.match(/^HTTP\/1\.1 /gm) ?? []).toHaveLength(answer === "" ? 0 : 1);
      expect(answer).not.toMatch(/set-cookie|node_modules|\bat .+:\d+/i);
      // A connection may also just end.
      for (const header of SECURE)
        expect(answer.toLowerCase()).toMatch(new RegExp(`^$|\\r\\n${header}\\r\\n`));
      expect(answer).not.toContain(TOKEN);
      const users = await exchange(server.origin, {
        method: "GET",
        path: "/scim/v2/Users",
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      expect(users.body).toMatchObject({ totalResults: 0 });
    },
  );

  test("a whole address in the place of a path leads nowhere but here, and is not believed", async () => {
    const server = await start();
    const body = JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "a" });
    const headers = [BEARER, JSON_TYPE, `Content-Length: ${body.length}`];
    const answer = await send(
      server.origin,
      request("POST http://evil.example/scim/v2/Users", headers, body),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).not.toContain("evil.example");
  });
});

describe("a body of which only a part has come", () => {
  test.each([
    ["POST /scim/v2/Users", [JSON_TYPE], 401],
    ["POST /scim/v2/Users", [JSON_TYPE, BEARER], 413],
    ["POST /admin/v1/tenants", ["Content-Type: application/json"], 401],
    ["POST /nowhere", [BEARER], 404],
  ])("%s, %j is answered %d, and what follows is no request", async (first, headers, status) => {
    const { origin } = await start();
    const length = `Content-Length: ${80 * 1024 ** 2}`;
    const answer = await send(
      origin,
      [`${first} HTTP/1.1`, "Host: a", ...headers, length, "", SMUGGLED].join("\r\n"),
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nConnection: close\\r\\n`));
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe("a body that waits to be invited", () => {
  const body = JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "a" });
  /** The beginning of a request; `Connection: close` would hide that a refusal ends the connection. */
  const waiting = (first: string, headers: readonly string[]): string =>
    [
      `${first} HTTP/1.1`,
      "Host: scim.example",
      ...headers,
      "Expect: 100-continue",
      `Content-Length: ${body.length}`,
      "",
      "",
    ].join("\r\n");

  test("is not, where the answer does not depend on it, and the connection ends", async () => {
    const { origin } = await start();
    for (const [first, headers, status] of [
      ["POST /scim/v2/Users", [JSON_TYPE], 401],
      ["POST /scim/v2/Users", [JSON_TYPE, `Authorization: Bearer ${newToken()}`], 401],
      ["PUT /scim/v2/Users", [JSON_TYPE, BEARER], 405],
      ["POST /scim/v2/Users", ["Content-Type: text/html", BEARER], 415],
      ["POST /admin/v1/tenants", ["Content-Type: application/json"], 401],
      ["POST /admin/v1/tenants", ["Content-Type: application/json", BEARER], 403],
      ["POST /nowhere", [BEARER], 404],
    ] as const)
      expect(await send(origin, waiting(first, headers))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test("is, where it is needed, and the connection goes on", async () => {
    const { origin } = await start();
    const socket = connect(Number(new URL(origin).port), "127.0.0.1").setEncoding("utf8");
    let answer = "";
    socket.on("data", (chunk: string) => (answer += chunk));
    for (const status of [201, 409]) {
      answer = "";
      socket.write(waiting("POST /scim/v2/Users", [BEARER, JSON_TYPE]));
      await eventually(() => expect(answer).toBe("HTTP/1.1 100 Continue\r\n\r\n"));
      socket.write(body);
      await eventually(() => expect(answer).toMatch(new RegExp(`HTTP/1\\.1 ${status} [^]*\\}$`)));
    }
    socket.destroy();
  });
});
