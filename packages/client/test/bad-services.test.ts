import { createServer as createPlainServer, type Socket } from "node:net";
import { gzipSync, brotliCompressSync } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createFetchTransport, createScimClient, isScimClientError, type ClientOptions } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { describe, expect, onTestFinished, test } from "vitest";
import { aUser, scripted } from "./support/scripted.ts";
import { listen } from "./support/service.ts";

type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

const SCIM = { "content-type": "application/scim+json" };
const USER = JSON.stringify(aUser());

function sends(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): Answering {
  return (_request, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

function keyword(scimType: string): string {
  return JSON.stringify({ schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], scimType });
}

const ZEROS = new Uint8Array(5_000_000);

/** What a service does wrong, and what comes of it: the code of the error, or null where it is forgiven. */
const LIES: readonly (readonly [what: string, answering: Answering, code: string | null])[] = [
  ["a web page that says 200", sends(200, { "content-type": "text/html" }, "<h1>Sign in</h1>"), "notScim"],
  ["a web page that says 503", sends(503, { "content-type": "text/html" }, "<h1>Down</h1>"), "unavailable"],
  [
    "a web page that says 404",
    sends(404, { "content-type": "text/html" }, "<h1>Nothing</h1>"),
    "unexpectedStatus",
  ],
  [
    "a web page in Latin-1 that says 503",
    sends(503, { "content-type": "text/html" }, Uint8Array.of(0x3c, 0xe9, 0x3e)),
    "unavailable",
  ],
  [
    "an error in a coding that nobody knows",
    sends(404, { "content-encoding": "odd" }, Uint8Array.of(0xe9)),
    "notFound",
  ],
  ["a redirect with a page in Latin-1", sends(302, {}, Uint8Array.of(0xe9)), "redirected"],
  [
    "an error that is no SCIM",
    sends(400, { "content-type": "application/problem+json" }, '{"title":"no"}'),
    "invalidSyntax",
  ],
  ["an error that is a list", sends(409, SCIM, "[1]"), "conflict"],
  ["that what was there is gone", sends(410, SCIM, "{}"), "notFound"],
  ["a status that nobody knows", sends(418, SCIM, "{}"), "unexpectedStatus"],
  ["a keyword beside a status that nobody knows", sends(422, SCIM, keyword("invalidValue")), "invalidValue"],
  ["a keyword of RFC 7644 Table 9", sends(400, SCIM, keyword("uniqueness")), "uniqueness"],
  ["a keyword in another letter case", sends(409, SCIM, keyword("Uniqueness")), "uniqueness"],
  ["a keyword beside a conflict", sends(409, SCIM, keyword("mutability")), "mutability"],
  ["a keyword beside refused credentials", sends(401, SCIM, keyword("invalidValue")), "unauthorized"],
  ["a keyword beside what is not there", sends(404, SCIM, keyword("noTarget")), "notFound"],
  ["a keyword beside too many requests", sends(429, SCIM, keyword("tooMany")), "tooManyRequests"],
  ["a keyword beside a failure of its own", sends(500, SCIM, keyword("uniqueness")), "internal"],
  ["a wrong content type", sends(200, { "content-type": "text/plain" }, USER), null],
  ["no content type", sends(200, {}, USER), null],
  ["no ETag and no version", sends(200, SCIM, JSON.stringify(aUser({ meta: {} }))), null],
  ["invalid JSON", sends(200, SCIM, '{"id":"1",'), "invalidJson"],
  ["JSON that is no object", sends(200, SCIM, "[]"), "invalidJson"],
  ["bytes that are no UTF-8", sends(200, SCIM, Uint8Array.of(0x7b, 0xff, 0x7d)), "unreadable"],
  ["an empty body", sends(200, SCIM), "invalidMessage"],
  ["a number for an id", sends(200, SCIM, JSON.stringify(aUser({ id: 1 }))), null],
  ["a number for an id that JSON cuts", sends(200, SCIM, '{"id":9007199254740993}'), "invalidMessage"],
  ["a resource without id", sends(200, SCIM, '{"userName":"a"}'), "invalidMessage"],
  ["another resource", sends(200, SCIM, JSON.stringify(aUser({ id: "2" }))), "wrongResource"],
  ["a member named __proto__", sends(200, SCIM, USER.replace("{", '{"__proto__":{"polluted":true},')), null],
  ["a redirect to http", sends(301, { location: "http://other.example/Users/1?token=x" }), "redirected"],
  ["a redirect without an address", sends(302, {}), "redirected"],
  ["a gzip bomb", sends(200, { ...SCIM, "content-encoding": "gzip" }, gzipSync(ZEROS)), "tooLarge"],
  ["a brotli bomb", sends(200, { ...SCIM, "content-encoding": "br" }, brotliCompressSync(ZEROS)), "tooLarge"],
  ["gzip that nobody asked for", sends(200, { ...SCIM, "content-encoding": "gzip" }, gzipSync(USER)), null],
  ["a very large body", sends(200, SCIM, "x".repeat(2_000_000)), "tooLarge"],
  [
    "a body that never ends",
    (_request, response) => {
      response.writeHead(200, SCIM);
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    },
    "tooLarge",
  ],
  [
    "a body cut off",
    (_request, response) => {
      response.writeHead(200, { ...SCIM, "content-length": "1000" });
      response.write('{"id":');
      setImmediate(() => response.destroy());
    },
    "cutOff",
  ],
  ["silence", () => undefined, "timeout"],
  [
    "silence within the body",
    (_request, response) => {
      response.writeHead(200, SCIM);
      response.write('{"id":');
    },
    "timeout",
  ],
  [
    "a byte now and then",
    (_request, response) => {
      response.writeHead(200, SCIM);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    "timeout",
  ],
  ["a connection that is closed", (request) => void request.socket.destroy(), "connectionFailed"],
  ["a Retry-After that makes no sense", sends(429, { "retry-after": "soon" }, "{}"), "tooManyRequests"],
];

const TRANSPORTS: readonly (readonly [string, Partial<ClientOptions>])[] = [
  ["undici", {}],
  ["fetch", { transport: createFetchTransport() }],
];

const LIMITS = { timeout: 10_000, maxAnswerBytes: 1_000_000 };

function clientOf(baseUrl: string, options: Partial<ClientOptions>) {
  const client = createScimClient({
    baseUrl,
    auth: "secret-token",
    retries: { attempts: 1 },
    limits: LIMITS,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

test.each([
  ["a word", sends(200, { "content-type": "text/plain" }, "OK"), null],
  ["null", sends(200, SCIM, "null"), null],
  ["the resource", sends(200, SCIM, USER), null],
  ["a web page", sends(200, { "content-type": "text/html" }, "<h1>Sign in</h1>"), "notScim"],
  ["an error that says 200", sends(200, SCIM, keyword("mutability")), "invalidMessage"],
] as const)("R7644-3.6-01 a deletion that is answered with %s", async (_what, answering, code) => {
  const client = clientOf(await listen(answering), {});
  const outcome = await client.users.delete("1", { version: null }).then(
    () => null,
    (error: unknown) => (isScimClientError(error) ? error.code : error),
  );
  expect(outcome).toBe(code);
});

/** What an error came of, and that of. */
function causesOf(error: unknown): readonly unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

describe.each(TRANSPORTS)("over %s", (_name, options) => {
  test.each(LIES)("%s", async (_what, answering, code) => {
    // Only those that keep silent are waited for.
    const limits = { ...LIMITS, ...(code === "timeout" ? { timeout: 200 } : {}) };
    const client = clientOf(await listen(answering), { limits, ...options });
    const outcome: unknown = await client.users.get("1").catch((error: unknown) => error);
    if (code === null) {
      expect(outcome).toMatchObject({ id: "1", userName: "bjensen" });
      expect(Object.getPrototypeOf(outcome)).toBe(Object.prototype);
    } else {
      expect(isScimClientError(outcome)).toBe(true);
      expect(outcome).toMatchObject({
        code,
        remedy: expect.stringMatching(/./),
        request: { path: "/Users/1" },
      });
      expect(String(outcome)).not.toContain("token");
    }
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 60])(
    "a compressed answer of up to %d bytes is read",
    async (maxAnswerBytes) => {
      const baseUrl = await listen(sends(200, { ...SCIM, "content-encoding": "gzip" }, gzipSync(USER)));
      const client = clientOf(baseUrl, { ...options, limits: { ...LIMITS, maxAnswerBytes } });
      await expect(client.users.get("1")).resolves.toMatchObject({ id: "1" });
    },
  );

  test("nobody listens", async () => {
    // No port that `fetch` refuses to ask, as it does many of the well-known ones.
    const client = clientOf("http://127.0.0.1:2/scim/v2", options);
    const error: unknown = await client.users.get("1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "connectionFailed" });
    expect(causesOf(error)).toContainEqual(expect.objectContaining({ code: "ECONNREFUSED" }));
  });

  test("what answers is no HTTP", async () => {
    const sockets = new Set<Socket>();
    const server = createPlainServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.write("220 smtp.example ESMTP\r\n");
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const client = clientOf(`http://127.0.0.1:${port}/scim/v2`, options);
    await expect(client.users.get("1")).rejects.toMatchObject({ code: "connectionFailed" });
  });

  test("a change that is answered by a web page was perhaps made, and is not sent again", async () => {
    let count = 0;
    const baseUrl = await listen((request, response) => {
      count += 1;
      return sends(200, { "content-type": "text/html" }, "<p>")(request, response);
    });
    const client = clientOf(baseUrl, { ...options, retries: { attempts: 4 } });
    await expect(client.users.create({ userName: "a" })).rejects.toMatchObject({ code: "notScim" });
    expect(count).toBe(1);
  });
});

describe("in this process", () => {
  /** A handler whose first answers begin and never end; the later ones are whole. */
  function stalling(stalls: number, begun: Promise<unknown> = Promise.resolve()) {
    const ended: string[] = [];
    let count = 0;
    const answer = (): AsyncIterableIterator<string> => {
      let pieces = 0;
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        next: () => {
          pieces += 1;
          return pieces === 1 ? Promise.resolve({ value: '{"id":' }) : new Promise(() => undefined);
        },
        return: () => {
          ended.push("ended");
          return Promise.resolve({ value: undefined, done: true });
        },
      };
    };
    const transport = createInProcessTransport({
      handle: () => {
        count += 1;
        const body = count <= stalls ? answer() : USER;
        return begun.then(() => ({ status: 200, headers: SCIM, body }));
      },
    });
    return { transport, ended };
  }

  test("silence within the body is waited for no longer than asked, and holds up nobody", async () => {
    const { transport, ended } = stalling(1);
    const limits = { timeout: 50, concurrency: 1 };
    const client = clientOf("https://id.example/scim/v2", { transport, limits });
    const [first, second] = await Promise.allSettled([client.users.get("1"), client.users.get("1")]);
    expect(first).toMatchObject({ status: "rejected", reason: { code: "timeout" } });
    expect(second).toMatchObject({ status: "fulfilled", value: { id: "1" } });
    expect(ended).toEqual(["ended"]);
  });

  test("a caller that gives up does not wait for the rest of a body", async () => {
    const { transport, ended } = stalling(1);
    const client = clientOf("https://id.example/scim/v2", { transport });
    const controller = new AbortController();
    const reading = client.users.get("1", { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    expect(ended).toEqual(["ended"]);
  });

  test("an answer that begins when nobody waits for it any more is ended", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { transport, ended } = stalling(1, begun);
    const client = clientOf("https://id.example/scim/v2", { transport });
    const controller = new AbortController();
    const reading = client.users.get("1", { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
    begin();
    await begun;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(ended).toEqual(["ended"]);
  });

  test("a handler that fails at a request that was given up before fails nobody else", async () => {
    const unheard: unknown[] = [];
    const onUnheard = (reason: unknown): void => void unheard.push(reason);
    process.on("unhandledRejection", onUnheard);
    onTestFinished(() => void process.off("unhandledRejection", onUnheard));
    const controller = new AbortController();
    const transport = createInProcessTransport({
      handle: () => {
        controller.abort();
        return Promise.reject(new Error("Given up."));
      },
    });
    const client = clientOf("https://id.example/scim/v2", { transport });
    const { signal } = controller;
    await expect(client.users.get("1", { signal })).rejects.toMatchObject({ code: "aborted" });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(unheard).toEqual([]);
  });
});

test("a redirect says where to, without its query", async () => {
  const client = clientOf(await listen(sends(301, { location: "http://other.example/scim?token=x" })), {});
  await expect(client.users.get("1")).rejects.toThrow("redirects (301) to http://other.example/scim");
});

test.each([
  ["/Users", "baseUrl"],
  ["/Users/.search", "baseUrl"],
  ["/Users/1", "by a filter"],
  ["/Me", "by a filter"],
])("a 404 at %s has a remedy that speaks of what may be wrong: %s", async (path, told) => {
  const { client } = scripted([{ status: 404 }]);
  await expect(client.request({ method: "GET", path })).rejects.toMatchObject({
    code: "notFound",
    remedy: expect.stringContaining(told),
  });
});
