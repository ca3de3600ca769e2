import type { Principal, TooManyRequests } from "@scim/core";
import { describe, expect, test } from "vitest";
import type { Exchange, ScimHandlerOptions } from "../src/index.ts";
import { Harness, principalOf, type Sent } from "./fake-service.ts";

const CALLER = principalOf("token:scim");

const TOO_MANY: TooManyRequests = { policy: "requests", retryAfter: 1, quota: 2, window: 2 };

const NO_TOKEN = 'Bearer realm="scim"';
const BAD_TOKEN = 'Bearer realm="scim", error="invalid_token"';

describe("authentication", () => {
  test.each([
    ["no header", undefined, NO_TOKEN],
    ["an empty header", "", NO_TOKEN],
    ["blanks", "   ", NO_TOKEN],
    ["an unknown token", "Bearer nobody", BAD_TOKEN],
    ["the scheme alone", "Bearer ", BAD_TOKEN],
    ["Basic", "Basic dG9rZW46c2NpbTo=", BAD_TOKEN],
    ["Basic with a token of ours", "Basic token:scim", BAD_TOKEN],
    ["a bare unknown token", "nobody", BAD_TOKEN],
    ["two tokens", "Bearer token:scim, Bearer token:scim", BAD_TOKEN],
    ["a bare token where the profile is strict", "strict", BAD_TOKEN],
  ])("R7644-2-02 R6750-3-01 %s", async (_name, authorization, challenge) => {
    const harness = new Harness();
    const headers = authorization === undefined ? {} : { authorization };
    const response = await harness.send({ target: "/Users", token: null, headers });
    expect(response.status).toBe(401);
    expect(response.headers["www-authenticate"]).toBe(challenge);
    expect(response.json).toMatchObject({ status: "401" });
    expect(harness.service.calls).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ["true", true, "'tenant'"],
    ["a caller without a tenant", { ...CALLER, tenant: undefined }, "'tenant'"],
    ["a caller of an empty tenant", { ...CALLER, tenant: "" }, "'tenant'"],
    ["a caller without a connection", { ...CALLER, connection: null }, "'connection'"],
    ["scopes that are a list", { ...CALLER, scopes: ["scim"] }, "'scopes'"],
    ["the name of a profile", { ...CALLER, profile: "strict" }, "'profile'"],
  ])("an authenticator that answers %s is at fault, and nothing is done", async (_, answered, words) => {
    // What code without types may answer.
    const harness = new Harness({ authenticate: async () => answered as Principal });
    expect((await harness.send({ target: "/Users" })).status).toBe(500);
    expect(String(harness.records[0]?.failure)).toContain(`a caller without ${words}`);
    expect(harness.service.calls).toEqual([]);
  });

  test("R6750-3.1-01 an authenticator that answers undefined, as a Map does, does not know the token", async () => {
    const known = new Map<string, Principal>();
    const harness = new Harness({ authenticate: async (token) => known.get(token) as Principal });
    const { status, headers } = await harness.send({ target: "/Users" });
    expect([status, headers["www-authenticate"]]).toEqual([401, BAD_TOKEN]);
  });

  test("tells where to read how to get a token, where that can stand in a header", async () => {
    for (const [address, told] of [
      ["https://id.example/.well-known/x", ', resource_metadata="https://id.example/.well-known/x"'],
      ['https://id.example/", error="none', ""],
      [null, ""],
    ] as const) {
      const harness = new Harness({ resourceMetadata: () => address });
      const { headers } = await harness.send({ target: "/Users", token: "nobody" });
      expect(headers["www-authenticate"]).toBe(BAD_TOKEN + told);
    }
  });

  test.each([
    ["Bearer token:scim", []],
    ["bearer token:scim", []],
    ["BEARER   token:scim ", []],
    ["token:scim", [{ name: "bare-token", path: "Authorization" }]],
  ])("R6750-2.1-01 '%s' is let in", async (authorization, switches) => {
    const harness = new Harness();
    expect((await harness.send({ target: "/Users", token: null, headers: { authorization } })).status).toBe(
      200,
    );
    expect(harness.records[0]?.switches).toEqual(switches);
  });

  test.each<[string, number, Partial<Sent>, Partial<ScimHandlerOptions>]>([
    [
      "by its rate",
      429,
      {},
      { limiter: { admit: () => TOO_MANY, admitRest: () => null, refused: () => null } },
    ],
    ["for a token without its scheme", 401, { token: null, headers: { authorization: "strict" } }, {}],
    ["at the address of another tenant", 404, { tenant: "globex" }, {}],
  ])("a connection that is refused %s is told to the logs", async (_, status, sent, options) => {
    const exchanges: Exchange[] = [];
    const onExchange = (exchange: Exchange): void => void exchanges.push(exchange);
    const harness = new Harness({ ...options, onExchange });
    expect((await harness.send({ target: "/Users", ...sent })).status).toBe(status);
    for (const record of [harness.records[0], exchanges[0]?.record])
      expect(record).toMatchObject({ status, tenant: "acme", connection: "okta", switches: [] });
  });

  test("R6750-3.1-01 who sends a good token without its scheme is told what is missing, and which switch takes it", async () => {
    const { json } = await new Harness().send({
      target: "/Users",
      token: null,
      headers: { authorization: "strict" },
    });
    expect(json).toMatchObject({
      detail: expect.stringMatching(/the word Bearer .+ switch 'bare-token'/),
    });
  });

  test("a token in the query is ignored", async () => {
    expect((await new Harness().send({ target: "/Users?access_token=token:scim", token: null })).status).toBe(
      401,
    );
  });

  test.each([
    ["scim", [200, 201, 204]],
    ["scim:read", [200, 403, 403]],
    ["scim:write", [403, 201, 403]],
    ["scim:delete", [403, 403, 204]],
    ["scim:read scim:delete", [200, 403, 204]],
    ["admin", [403, 403, 403]],
  ])("R7644-2-03 scopes '%s' open reading, writing, deleting: %j", async (scopes, statuses) => {
    const harness = new Harness();
    const token = `token:${scopes}`;
    const read = await harness.send({ target: "/Users", token });
    const write = await harness.send({ method: "POST", target: "/Users", body: "{}", token });
    const remove = await harness.send({ method: "DELETE", target: "/Users/1", token });
    expect([read.status, write.status, remove.status]).toEqual(statuses);
  });

  test.each([
    ["scim:read", [200, 200, 403, 403, 403]],
    ["scim:write", [403, 403, 403, 200, 403]],
    ["scim:delete", [403, 403, 403, 403, 200]],
    ["scim:bulk", [403, 403, 200, 403, 403]],
  ])("R7644-2-03 scopes '%s' open queries, bulk jobs and dry runs: %j", async (scopes, statuses) => {
    const harness = new Harness();
    const token = `token:${scopes}`;
    const body = JSON.stringify({ schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"] });
    const answers = [
      await harness.send({ method: "POST", target: "/.search", body, token }),
      await harness.send({ method: "GET", target: "/", token }),
      await harness.send({ method: "POST", target: "/Bulk", body, token }),
      await harness.send({ method: "PUT", target: "/.dry-run/Users/1", body, token }),
      await harness.send({ method: "DELETE", target: "/.dry-run/Users/1", token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  test.each([
    ["scim:read:User", [200, 200, 403, 403]],
    ["scim:write:User", [403, 403, 403, 201]],
    ["scim:read:Group", [200, 403, 200, 403]],
    ["scim:read:Use", [200, 403, 403, 403]],
  ])(
    "R7644-2-03 scopes '%s' open discovery, and Users, Groups and new Users: %j",
    async (scopes, statuses) => {
      const harness = new Harness();
      const token = `token:${scopes}`;
      const answers = [
        await harness.send({ target: "/ServiceProviderConfig", token }),
        await harness.send({ target: "/Users", token }),
        await harness.send({ target: "/Groups", token }),
        await harness.send({ method: "POST", target: "/Users", body: "{}", token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    },
  );

  test.each([
    "/ServiceProviderConfig",
    "/Schemas",
    "/Schemas/urn:ietf:params:scim:schemas:core:2.0:User",
    "/ResourceTypes",
    "/ResourceTypes/User",
  ])("R7644-2-03 whoever may read any type reads %s, and nobody else does", async (target) => {
    const harness = new Harness();
    const statusFor = async (scopes: string): Promise<number> =>
      (await harness.send({ target, token: `token:${scopes}` })).status;
    expect([await statusFor("scim:read:Group"), await statusFor("scim:write")]).toEqual([200, 403]);
  });

  test.each([
    [["admin"], "It has 'admin'."],
    [["a", "b", "c", "d", "e"], "It has 'a', 'b', 'c', 'd', 'e'."],
    [["a", "b", "c", "d", "e", "f", "g"], "It has 'a', 'b', 'c', 'd', 'e' and 2 more."],
    [[], "It has none."],
  ])("403 names the scope that is missing, and those of the token: %j", async (scopes, told) => {
    const harness = new Harness({
      authenticate: async () => ({ ...CALLER, scopes: new Set(scopes) }) as Principal,
    });
    const { headers, body } = await harness.send({ method: "DELETE", target: "/Users/1" });
    expect(headers["www-authenticate"]).toBe(
      'Bearer realm="scim", error="insufficient_scope", scope="scim:delete"',
    );
    expect(body).toContain(`The token lacks the scope 'scim:delete'. ${told}`);
  });

  test("R7644-6.1-03 a token of another tenant than the address names finds nothing", async () => {
    const harness = new Harness();
    expect((await harness.send({ target: "/Users", tenant: "acme" })).status).toBe(200);
    const foreign = await harness.send({ target: "/Users", tenant: "globex" });
    const unknown = await harness.send({ target: "/Nothing" });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toBe(unknown.body);
  });

  test("a token of another connection than the address is for finds nothing", async () => {
    const harness = new Harness();
    const sent = { target: "/Users", tenant: "acme" };
    expect((await harness.send({ ...sent, connection: "okta" })).status).toBe(200);
    const foreign = await harness.send({ ...sent, connection: "entra" });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toBe((await harness.send({ target: "/Nothing" })).body);
    expect(harness.service.calls).toHaveLength(1);
  });

  test("the context tells whose request it is", async () => {
    const harness = new Harness();
    const controller = new AbortController();
    await harness.send({ target: "/Users/1", signal: controller.signal });
    expect(harness.service.calls[0]?.context).toMatchObject({
      tenant: "acme",
      connection: "okta",
      subject: null,
      baseUrl: "https://id.example/scim/v2",
      signal: controller.signal,
    });
  });
});
