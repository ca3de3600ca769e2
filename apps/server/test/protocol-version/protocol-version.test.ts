import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, USER } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

let server: OwnServer;

beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.stop());

describe("the protocol version in an address", () => {
  test.each([
    ["GET", "/scim/v1/Users"],
    ["GET", "/scim/v1"],
    ["GET", "/scim/v1?count=1"],
    ["GET", "/scim/v3/ServiceProviderConfig"],
    ["HEAD", "/scim/v3/Users"],
    ["POST", "/scim/v3/Users"],
    ["DELETE", "/scim/v0/Users/1"],
    ["PATCH", "/scim/v20/Users/1"],
    ["PUT", "/scim/v02/Users/1"],
    ["GET", "/scim/default/v1/Users"],
    ["POST", "/scim/default/v3/Bulk"],
    ["GET", "/scim/nobody/v11"],
  ])("R7644-3.13-02 %s %s is refused, and told the version to use", async (method, path) => {
    const headers = { Authorization: `Bearer ${server.token}` };
    const answer = await exchange(server.origin, { method, path, headers });
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
    if (method === "HEAD") return;
    expect(answer.body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "400",
      scimType: "invalidVers",
      detail: expect.stringContaining("/scim/v2"),
    });
  });

  test.each([
    "/scim",
    "/scim/",
    "/scim/v",
    "/scim/vx/Users",
    "/scim/V1/Users",
    "/scim/a/b/v1/Users",
    "/v1/Users",
    "/scimv1",
    "/scim/v2/v1",
    "/scim/v2/v1/Users",
  ])("%s names none, and nothing", async (path) => {
    const headers = { Authorization: `Bearer ${server.token}` };
    const answer = await exchange(server.origin, { method: "GET", path, headers });
    expect(answer).toMatchObject({ status: 404, body: { status: "404" } });
    expect(answer.body).not.toHaveProperty("scimType");
  });

  test.each(["/scim/v2", "/scim/default/v2"])("R7644-3.13-01 %s is version 2", async (base) => {
    const client = clientOf({ ...server, base });
    const made = await client.call("POST", "/Users", {
      body: { schemas: [USER], userName: base.replaceAll("/", "-") },
    });
    expect(made.status).toBe(201);
    expect(made.headers.location).toMatch(new RegExp(`^${server.origin}${base}/Users/`));
    expect((await client.call("GET", `?filter=${encodeURIComponent("id pr")}&count=0`)).status).toBe(200);
  });
});
