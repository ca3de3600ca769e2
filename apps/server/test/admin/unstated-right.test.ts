import { expect, test } from "vitest";
import { servedRoutes } from "./plugin-of-routes.ts";

test.each([
  ["admin", 200],
  ["admin:operator", 403],
  ["admin:support", 403],
  ["admin:tenant:acme", 403],
])("a route that states no right is open to owners alone: %s, %i", async (scope, status) => {
  const app = await servedRoutes(async (instance) => {
    instance.get("/forgotten", async () => ({}));
    instance.get("/tenants/:tenant/forgotten", async () => ({}));
    instance.post("/forgotten", async () => ({}));
  });
  const headers = { authorization: `Bearer ${scope}` };
  for (const [method, url] of [
    ["GET", "/forgotten"],
    ["GET", "/tenants/acme/forgotten"],
    ["POST", "/forgotten"],
  ] as const) {
    const { statusCode, body } = await app.inject({ method, url, headers });
    expect([method, url, statusCode, body], body).toMatchObject([method, url, status, expect.any(String)]);
  }
});
