import { describe, expect, test } from "vitest";
import { clientOf, USER } from "../over-http/client.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<WireAnswer> =>
  exchange(client.server.origin, { method: "GET", path: client.server.base + path, headers });

const metadata = (): string =>
  `resource_metadata="${client.server.origin}/.well-known/oauth-protected-resource${client.server.base}"`;

describe("who is let in", () => {
  test.each<[string, string]>([
    ["/Users", "GET"],
    ["/Users", "POST"],
    ["/Me", "GET"],
    ["/Me", "POST"],
    ["/Bulk", "POST"],
    ["/.search", "POST"],
  ])(
    "R7644-2.2-01, R6750-3.1-01 nobody without a token: %s %s is 401 without an error code",
    async (path, method) => {
      const headers = { "Content-Type": "application/scim+json" };
      const body = JSON.stringify({ schemas: [USER], userName: "anonymous" });
      const wire = { method, path: client.server.base + path, headers, body: method === "GET" ? null : body };
      const answer = await exchange(client.server.origin, wire);
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe(`Bearer realm="scim", ${metadata()}`);
    },
  );

  test("R6750-3.1-01 an unknown token is 401 invalid_token", async () => {
    const answer = await get("/Users", { Authorization: `Bearer ${newToken()}` });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe(
      `Bearer realm="scim", error="invalid_token", ${metadata()}`,
    );
    expect(answer.body).toMatchObject({ status: "401" });
  });

  test("R6750-3.1-01, R7644-2-03 a token without the scope is 403 insufficient_scope, which names it", async () => {
    const token = await client.server.createToken("--scope", "scim:read");
    const answer = await clientOf({ ...client.server, token }).call("POST", "/Users", { body: {} });
    expect(answer.status).toBe(403);
    expect(answer.headers["www-authenticate"]).toMatch(/error="insufficient_scope".*scope="scim:write"/);
    expect(answer.body).toMatchObject({ status: "403" });
  });

  test.each(["access_token", "token", "Authorization"])(
    "R6750-2-01 a token in the address counts for nothing: %s",
    async (parameter) => {
      expect((await get(`/Users?${parameter}=${client.server.token}`)).status).toBe(401);
    },
  );

  test("R6750-2-01 nor does one in a form", async () => {
    const answer = await exchange(client.server.origin, {
      method: "POST",
      path: `${client.server.base}/Users`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `access_token=${client.server.token}`,
    });
    expect(answer.status).toBe(401);
  });

  test("R7644-2-04 Basic is never accepted, not even with the token as password", async () => {
    const basic = Buffer.from(`scim:${client.server.token}`).toString("base64");
    expect((await get("/Users", { Authorization: `Basic ${basic}` })).status).toBe(401);
  });
});

describe("what is kept from others", () => {
  test("R7644-7.4-02 no cookie is ever set", async () => {
    const user = await client.user({ userName: "cookieless" });
    const answers = [
      await client.call("GET", user.path),
      await client.call("DELETE", user.path),
      await get("/Users"),
    ];
    for (const { headers } of answers) expect(headers).not.toHaveProperty("set-cookie");
  });
});
