import { runInNewContext } from "node:vm";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { createFetchHandler } from "../../src/fetch/index.ts";
import {
  type BodyStream,
  createScimHandler,
  type HttpResponse,
  type RequestRecord,
  type ScimHandler,
} from "../../src/index.ts";
import { FakeService, principalOf } from "../fake-service.ts";
import { echo } from "./echo.ts";
import { MOUNTS, NO_PREFIXES } from "./mounts.ts";

const ORIGIN = "https://id.example";

async function seen(response: Response): Promise<Record<string, unknown>> {
  return JSON.parse(await response.text());
}

describe("where requests go", () => {
  test.each(MOUNTS)("mounted at '%s', %s", async (prefix, path, found) => {
    const response = await createFetchHandler(echo, { prefix })(new Request(ORIGIN + path));
    const json = await seen(response);
    if (found === null) expect([response.status, json["status"]]).toEqual([404, "404"]);
    else {
      const { at, target, tenant = null } = found;
      expect(json).toMatchObject({ target, tenant, baseUrl: ORIGIN + at, method: "GET", body: "" });
    }
  });

  test.each(NO_PREFIXES)("'%s' is no prefix", (prefix) => {
    expect(() => createFetchHandler(echo, { prefix })).toThrow(/prefix/);
  });

  test.each<[string | ((request: Request) => string), string]>([
    ["https://sso.example/", "https://sso.example/scim/v2"],
    ["https://sso.example/api", "https://sso.example/api/scim/v2"],
    [({ headers }) => `https://${headers.get("x-host") ?? ""}`, "https://sso.example/scim/v2"],
  ])("the public address %s", async (publicUrl, baseUrl) => {
    const scim = createFetchHandler(echo, { prefix: "/scim/v2", publicUrl });
    const request = new Request(`${ORIGIN}/scim/v2/Users`, { headers: { "x-host": "sso.example" } });
    expect(await seen(await scim(request))).toMatchObject({ baseUrl });
  });
});

interface Info {
  readonly peer: string;
}

test("what a runtime passes behind the request tells the address and the id", async () => {
  const scim = createFetchHandler(echo, {
    tenant: "acme",
    connection: "okta",
    address: (_request, { peer }: Info) => peer,
    requestId: ({ headers }, { peer }: Info) => `${headers.get("x-id") ?? ""} of ${peer}`,
  });
  const headers = new Headers([
    ["X-Id", "7"],
    ["X-Told", "a"],
    ["x-told", "b"],
  ]);
  const request = new Request(`${ORIGIN}/Users`, { method: "POST", headers, body: "{}" });
  expect(await seen(await scim(request, { peer: "192.0.2.1" }))).toEqual({
    method: "POST",
    target: "/Users",
    baseUrl: ORIGIN,
    tenant: "acme",
    connection: "okta",
    id: "7 of 192.0.2.1",
    address: "192.0.2.1",
    body: "{}",
    told: "a, b",
  });
});

test.each<[string, HttpResponse, string | null, boolean]>([
  ["a long answer", { status: 200, headers: {}, body: null }, null, true],
  [
    "an answer whose length is known",
    { status: 200, headers: { "content-length": "7" }, body: null },
    "7",
    false,
  ],
  ["an answer that has no body", { status: 304, headers: {}, body: null }, null, false],
])(
  "of %s to HEAD runtimes know a length where there is one alone",
  async (_what, answer, length, isStream) => {
    const scim = createFetchHandler({ handle: async () => answer });
    const response = await scim(new Request(`${ORIGIN}/Groups/g`, { method: "HEAD" }));
    // Bun and Deno say of a body that is null that it has no bytes.
    expect([response.status, response.headers.get("content-length"), response.body !== null]).toEqual([
      answer.status,
      length,
      isStream,
    ]);
    expect(await response.text()).toBe("");
  },
);

const records: RequestRecord[] = [];
const handler = createScimHandler({
  service: new FakeService(),
  authenticate: async (token) => principalOf(token),
  onRequestDone: (record) => void records.push(record),
});
const post = (body: string | ReadableStream = "{}"): Request =>
  new Request(`${ORIGIN}/Users`, {
    method: "POST",
    headers: { authorization: "Bearer token:scim", "content-type": "application/scim+json" },
    body,
    ...(typeof body === "string" ? {} : { duplex: "half" }),
  });

test("a client is known to have gone by the body that breaks off, where the runtime says nothing", async () => {
  const pull = (controller: ReadableStreamDefaultController): void => controller.error(new Error("reset"));
  await createFetchHandler(handler)(post(new ReadableStream({ pull })));
  expect(records.at(-1)).toMatchObject({ status: 500, aborted: true });
});

test("a client is known to have gone by the answer that it leaves, where the runtime says nothing", async () => {
  let signal: AbortSignal | undefined;
  const body: BodyStream = {
    signal: new AbortController().signal,
    cancel: async () => undefined,
    [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: "{" }) }),
  };
  const endless: ScimHandler = {
    handle: async (request) => {
      ({ signal } = request);
      return { status: 200, headers: {}, body };
    },
  };
  const response = await createFetchHandler(endless)(new Request(ORIGIN));
  expect(signal?.aborted).toBe(false);
  await response.body?.cancel();
  expect(signal?.aborted).toBe(true);
});

describe("what the application does wrong", () => {
  test("a body that was read before is said to be", async () => {
    const request = post();
    await request.text();
    const response = await createFetchHandler(handler)(request);
    expect(await seen(response)).toMatchObject({
      status: "500",
      detail: expect.stringContaining("hand the request on unread"),
    });
  });

  test("an option that throws is told to the log", async () => {
    const fault = new Error("no such host");
    const publicUrl = (): string => {
      throw fault;
    };
    const response = await createFetchHandler(handler, { publicUrl })(post());
    expect(await seen(response)).toMatchObject({
      status: "500",
      detail: expect.stringContaining("request id"),
    });
    expect(records.at(-1)).toMatchObject({ status: 500, failure: fault });
  });
});

/** A program that answers two requests, one of them with a stream, by a service with a store in memory. */
const PROGRAM = `
  import { createScimService, PROFILES } from "@scim/core";
  import { createMemoryStore } from "@scim/core/testing";
  import { createScimHandler } from "@scim/http";
  import { createFetchHandler } from "@scim/http/fetch";
  import { createDefaultRegistry } from "@scim/schemas";
  let count = 0;
  const next = () => String(count += 1);
  const sources = { now: Date.now, newId: next, newNonce: next, digest: (text) => text };
  const service = createScimService({ registry: createDefaultRegistry(), store: createMemoryStore(), sources });
  const principal = { tenant: "t", connection: "c", subject: null, profile: PROFILES.tolerant, scopes: new Set(["scim"]) };
  const scim = createFetchHandler(createScimHandler({ service, authenticate: async () => principal }));
  const headers = { authorization: "Bearer x", "content-type": "application/scim+json" };
  const schemas = ["urn:ietf:params:scim:schemas:core:2.0:Group"];
  const members = Array.from({ length: 1001 }, (_, at) => ({ value: "u" + at }));
  const body = JSON.stringify({ schemas, displayName: "All", members });
  const posted = await scim(new Request("https://id.example/Groups", { method: "POST", headers, body }));
  const read = await scim(new Request(posted.headers.get("location"), { headers }));
  globalThis.told([posted.status, read.status, JSON.parse(await read.text()).members.length]);
`;

test("runs where there is nothing but what the web has", async () => {
  const result = await build({
    stdin: { contents: PROGRAM, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "js" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    conditions: ["@scim/source"],
    logLevel: "silent",
  });
  const [output] = Object.values(result.metafile.outputs);
  expect(output?.imports).toEqual([]);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const web = {
    AbortController,
    AbortSignal,
    crypto,
    Headers,
    performance,
    ReadableStream,
    Request,
    Response,
  };
  const texts = { TextDecoder, TextEncoder, URL, URLSearchParams };
  const timers = { clearTimeout: () => undefined, setTimeout: () => 1 };
  const program = `(async () => {${result.outputFiles[0]?.text ?? ""}})().catch(told)`;
  runInNewContext(program, { ...web, ...texts, ...timers, told: resolve });
  expect(await promise).toEqual([201, 200, 1001]);
});
