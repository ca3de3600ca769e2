import { describe, expect, test } from "vitest";
import { startAdministration, type Administration } from "../admin/administering.ts";
import { clientOf } from "../over-http/client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { samplesOf, totalOf } from "../observing/metric-text.ts";
import { newToken } from "../over-http/server.ts";

const IN_MEMORY = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };
/** So slow that no test is long enough for another request to pass. */
const SLOW = 0.001;

/** A connection of tenant acme with a rate, and what asks with its token. */
async function limited(server: Administration, connection: string, burst: number) {
  const at = "/tenants/acme/connections";
  await server.make(at, { connection, rate: { perSecond: SLOW, burst } });
  const token = textMember(await server.make(`${at}/${connection}/tokens`, {}), "token");
  const client = clientOf({ origin: server.origin, base: "/scim/v2", token });
  return { get: (path = "/Users") => client.call("GET", path), token };
}

describe("the rate of a connection", () => {
  test("past it a request is 429 and says when to come again, and other connections go on", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    const [okta, hr] = [await limited(server, "okta", 2), await limited(server, "hr", 2)];
    expect([(await okta.get()).status, (await okta.get("/Schemas")).status]).toEqual([200, 200]);
    const early = await okta.get();
    expect(early.status).toBe(429);
    expect(Number(early.headers["retry-after"])).toBeGreaterThan(900);
    expect(early.headers).toMatchObject({
      ratelimit: expect.stringMatching(/^"requests";r=0;t=\d+$/),
      "ratelimit-policy": '"requests";q=2;w=2000',
      "content-type": expect.stringMatching(/^application\/scim\+json/),
    });
    expect(early.body).toMatchObject({ status: "429", detail: expect.stringContaining("send it again in") });
    // What is not there is no way round, and neither is the other form of the address, or that of another tenant.
    expect((await okta.get("/Nothing")).status).toBe(429);
    for (const tenant of ["acme", "default", "nobody"]) {
      const named = clientOf({ origin: server.origin, base: `/scim/${tenant}/v2`, token: okta.token });
      expect([tenant, (await named.call("GET", "/Users")).status]).toEqual([tenant, 429]);
    }
    expect((await hr.get()).status).toBe(200);
    expect((await server.call("GET", "/Users")).status).toBe(200);
    // Who looks for why the client stands still finds it.
    const log = "/tenants/acme/requests?connection=okta&status=429";
    await expect
      .poll(async () => (await server.send("GET", log)).body)
      .toMatchObject({ requests: { length: 5 } });
  });

  test("past it messages at /rpc and /mcp are told to the metrics and the request log as its own", async () => {
    const server = await startAdministration({
      ...IN_MEMORY,
      SCIM_METRICS: "open",
      SCIM_METRICS_TENANTS: "acme",
    });
    await server.make("/tenants", { tenant: "acme" });
    const okta = await limited(server, "okta", 1);
    const ask = (path: string) =>
      exchange(server.origin, {
        method: "POST",
        path,
        headers: { authorization: `Bearer ${okta.token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
    const statuses = [];
    for (const path of ["/rpc", "/rpc", "/mcp", "/rpc/acme"]) statuses.push((await ask(path)).status);
    expect(statuses).toEqual([200, 429, 429, 429]);
    await expect
      .poll(async () => {
        const { text } = await exchange(server.origin, { method: "GET", path: "/metrics" });
        return totalOf(samplesOf(text), "scim_tenant_requests_total", { tenant: "acme" });
      })
      .toBe(4);
    const log = "/tenants/acme/requests?connection=okta";
    await expect
      .poll(async () => (await server.send("GET", log)).body)
      .toMatchObject({
        requests: ["/rpc/:tenant", "/mcp", "/rpc"].map((route) => ({ route, method: "POST", status: 429 })),
      });
  });

  test("a rate that is changed holds within a second", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    const okta = await limited(server, "okta", 1);
    expect([(await okta.get()).status, (await okta.get()).status]).toEqual([200, 429]);
    const body = { rate: { perSecond: 1000, burst: 1000 } };
    await server.send("PATCH", "/tenants/acme/connections/okta", { body, match: "*" });
    await expect.poll(async () => (await okta.get()).status).toBe(200);
  });

  test("of several processes each lets its share pass", async () => {
    const server = await startAdministration({ ...IN_MEMORY, SCIM_WORKERS: "4" });
    await server.make("/tenants", { tenant: "acme" });
    const okta = await limited(server, "okta", 8);
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await okta.get()).status);
    expect(statuses).toEqual([200, 200, 429]);
    // The client is told of the whole, of which it knows.
    expect((await okta.get()).headers["ratelimit-policy"]).toContain("q=8");
  });

  test("where the server sets none, there is none", async () => {
    const server = await startAdministration({
      ...IN_MEMORY,
      SCIM_RATE_PER_SECOND: "0",
      SCIM_RATE_BURST: "1",
    });
    for (let count = 0; count < 5; count += 1)
      expect((await server.call("GET", "/ServiceProviderConfig")).status).toBe(200);
  });
});

describe("credentials that are not valid", () => {
  test("are slowed down by address and beginning, and delay no valid token", async () => {
    const server = await startAdministration(IN_MEMORY);
    const token = await server.tenantToken("acme");
    // Guesses that begin as the valid one does.
    const guess = `${token.slice(0, "scim_acme_".length + 4)}${newToken().slice(-39)}`;
    const ask = (text: string) =>
      exchange(server.origin, {
        method: "GET",
        path: "/scim/v2/Users",
        headers: { authorization: `Bearer ${text}` },
      });
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) statuses.push((await ask(guess)).status);
    expect(statuses).toEqual(statuses.map(() => 401));
    await expect.poll(async () => (await ask(guess)).status).toBe(429);
    const slowed = await ask(guess);
    expect(slowed.headers["ratelimit-policy"]).toBe('"credentials";q=10;w=30');
    expect(Number(slowed.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    for (let count = 0; count < 5; count += 1) expect((await ask(token)).status).toBe(200);
    expect((await ask(newToken("acme"))).status).toBe(401);
  });

  test.each([
    ["of 100 kB", "x".repeat(100_000), 431],
    ["that nearly fills the headers", "x".repeat(60_000), 401],
    ["that says it needs no signature", `${btoa('{"alg":"none"}')}.${btoa('{"sub":"admin"}')}.`, 401],
    ["with an algorithm in another case", `${btoa('{"alg":"NoNe"}')}.${btoa("{}")}.x`, 401],
    ["of another tenant's form", newToken("nowhere"), 401],
    ["of administrators", newToken("admin"), 401],
    ["with a path", "scim_../../etc_x", 401],
    ["with a statement", "scim_acme_'OR'1'='1", 401],
    ["with bytes that are no text", "\u00ff\u00fe", 401],
  ])("a token %s", async (_, text, status) => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    for (const path of ["/scim/v2/Users", "/scim/acme/v2/Users"]) {
      const answer = await exchange(server.origin, {
        method: "GET",
        path,
        headers: { authorization: `Bearer ${text}` },
      });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ status: String(status) });
    }
  });
});
