import { createHash, randomUUID } from "node:crypto";
import { createHandlerStore, createScimService, PROFILES, type ResourceHandler } from "@scim/core";
import { createMemoryHandler } from "@scim/core/testing";
import { BULK_REQUEST_URN, createDefaultRegistry, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createScimHandler, type HttpResponse, type RequestRecord } from "../src/index.ts";

type Send = (
  method: string,
  target: string,
  body?: JsonObject,
  headers?: Record<string, string>,
) => Promise<HttpResponse>;

/** SCIM over HTTP over one handler of users. */
function serving(User: ResourceHandler, onRequestDone?: (record: RequestRecord) => void): Send {
  const registry = createDefaultRegistry();
  const sources = {
    now: () => Date.now(),
    newId: () => randomUUID(),
    newNonce: () => "nonce",
    digest: (text: string) => createHash("sha256").update(text).digest("base64url"),
  };
  const store = createHandlerStore({ registry, sources, handlers: { User } });
  const handler = createScimHandler({
    service: createScimService({ registry, store, sources }),
    authenticate: async () => ({
      tenant: "acme",
      connection: "c",
      subject: null,
      scopes: new Set(["scim"] as const),
      profile: PROFILES.tolerant,
    }),
    ...(onRequestDone === undefined ? {} : { onRequestDone }),
  });
  return (method, target, body, headers = {}) =>
    handler.handle({
      method,
      target,
      headers: { authorization: "Bearer x", "content-type": "application/scim+json", ...headers },
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
      baseUrl: "https://id.example/scim/v2",
      tenant: null,
      signal: undefined,
      id: "request-7",
    });
}

const ANNA = { schemas: [USER_URN], userName: "anna" };

function idOf({ body }: HttpResponse): string {
  return /"id":"([^"]+)"/.exec(typeof body === "string" ? body : "")?.[1] ?? "";
}

describe("a handler that compares versions", () => {
  test("R7644-3.14-01 ETag, If-Match and If-None-Match work over it", async () => {
    const send = serving(createMemoryHandler({ versions: "content" }));
    const made = await send("POST", "/Users", ANNA);
    const etag = made.headers["etag"] ?? "";
    expect([made.status, etag]).toEqual([201, expect.stringMatching(/^W\/"[A-Za-z0-9_-]{22}"$/)]);
    const path = `/Users/${idOf(made)}`;
    expect((await send("GET", path, undefined, { "if-none-match": etag })).status).toBe(304);
    const moved = await send("PUT", path, { ...ANNA, title: "t" }, { "if-match": etag });
    expect([moved.status, moved.headers["etag"] === etag]).toEqual([200, false]);
    const stale = await send("DELETE", path, undefined, { "if-match": etag });
    expect([stale.status, stale.headers["etag"]]).toEqual([412, moved.headers["etag"]]);
  });
});

describe("a handler that compares none", () => {
  test("no answer has an ETag, and a change on condition of one is 412", async () => {
    const send = serving(createMemoryHandler({ versions: "none" }));
    const made = await send("POST", "/Users", ANNA);
    const path = `/Users/${idOf(made)}`;
    const answers = [made, await send("GET", path), await send("PUT", path, { ...ANNA, title: "t" })];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const { headers, body } of answers) {
      expect(Object.keys(headers)).not.toContain("etag");
      expect(body).not.toContain('"version"');
    }
    const refused = await send("DELETE", path, undefined, { "if-match": 'W/"x"' });
    expect([refused.status, refused.headers["etag"]]).toEqual([412, undefined]);
    expect((await send("DELETE", path, undefined, { "if-match": "*" })).status).toBe(204);
  });
});

describe("a handler that fails", () => {
  const SECRET = "password authentication failed for db.internal";
  const failing: ResourceHandler = {
    ...createMemoryHandler(),
    get: () => Promise.reject(new Error(SECRET)),
    list: () => Promise.reject(new Error(SECRET)),
    create: () => Promise.reject(new Error(SECRET)),
  };

  test.each<[string, string, string, JsonObject | undefined]>([
    ["GET", "GET", "/Users/u1", undefined],
    ["a list", "GET", "/Users?filter=userName%20pr", undefined],
    ["POST", "POST", "/Users", ANNA],
  ])(
    "%s: 500 with the id of the request, and no word of the cause but in the log",
    async (_, method, target, body) => {
      const records: RequestRecord[] = [];
      const answer = await serving(failing, (record) => records.push(record))(method, target, body);
      expect(answer.status).toBe(500);
      expect(answer.body).toContain("request-7");
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      expect(String(records[0]?.failure)).toContain(SECRET);
    },
  );

  test("a bulk job tells no more of it", async () => {
    const Operations = [{ method: "POST", path: "/Users", bulkId: "a", data: ANNA }];
    const answer = await serving(failing)("POST", "/Bulk", { schemas: [BULK_REQUEST_URN], Operations });
    expect(answer.body).toContain('"status":"500"');
    expect(answer.body).not.toContain(SECRET);
  });
});
