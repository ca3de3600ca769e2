import { describe, expect, test } from "vitest";
import { clientOf } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();

describe("a tenant in the address", () => {
  test("R7644-6.1-02, R7644-3.13-01 the tenant's own address serves the same resources, and locations follow the address", async () => {
    const user = await client.user({ userName: "addressed" });
    const named = clientOf({ ...client.server, base: "/scim/default/v2" });
    const answer = await named.call("GET", user.path);
    expect(answer.status).toBe(200);
    expect(answer.body["id"]).toBe(user.id);
    expect(answer.body["meta"]).toMatchObject({
      location: `${client.server.origin}/scim/default/v2${user.path}`,
    });
    expect(user.body["meta"]).toMatchObject({ location: `${client.server.origin}/scim/v2${user.path}` });
  });

  test.each([
    "other",
    "def.ault",
    "default.",
    "Default",
    "default%2F",
    "default%00",
    "%2E%2E",
    "d%C3%A9fault",
    "def%C5%BFault",
    "%EF%BD%84efault",
    "%FF",
  ])("R7644-6.1-03 the address of %s is not found, whether or not there is such a tenant", async (name) => {
    const other = clientOf({ ...client.server, base: `/scim/${name}/v2` });
    const answer = await other.call("GET", "/Users");
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "404",
    });
  });
});

describe("tokens", () => {
  test.each([
    ["no token", {}],
    ["another scheme", { Authorization: "Basic c2NpbTpzY2lt" }],
    ["an unknown token", { Authorization: `Bearer ${newToken()}` }],
    ["a token of a tenant that does not exist", { Authorization: `Bearer ${newToken("nowhere")}` }],
    ["a token of another form", { Authorization: "Bearer x" }],
    ["an empty token", { Authorization: "Bearer " }],
  ])("%s is 401 with a challenge, for what exists and what does not", async (_, headers) => {
    const user = await client.user({ userName: `guarded-${newToken()}` });
    for (const path of [user.path, "/Users/none", "/Users", "/Schemas", "/ServiceProviderConfig"]) {
      const answer = await exchange(client.server.origin, {
        method: "GET",
        path: client.server.base + path,
        headers,
      });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm="scim"/);
      expect(answer.body).toMatchObject({ status: "401", detail: expect.stringMatching(/token/) });
    }
  });
});
