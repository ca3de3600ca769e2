import { type Principal, PROFILES, type Scope } from "@scim/core";
import { ADMIN_TENANT } from "@scim/tenancy";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { adminPlugin } from "../../src/admin/plugin.ts";

/** The scopes of a token are its text. */
function principalOf(token: string): Principal {
  const scopes = new Set<Scope>([token as Scope]);
  return {
    tenant: ADMIN_TENANT,
    connection: "default",
    scopes,
    subject: null,
    profile: PROFILES.tolerant,
    credential: token,
  };
}

test.each([
  ["admin", 200],
  ["admin:operator", 403],
  ["admin:support", 403],
  ["admin:tenant:acme", 403],
])("a route that states no right is open to owners alone: %s, %i", async (scope, status) => {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(adminPlugin, {
    authenticate: async (token) => principalOf(token),
    limiter: { admit: () => null, admitRest: () => null, refused: () => null },
    tenants: { find: async () => null },
    trail: { tell: async () => undefined },
    tracing: { request: (_request, done) => done() },
    onRequestDone: () => undefined,
    routes: [
      async (instance) => {
        instance.get("/forgotten", async () => ({}));
        instance.get("/tenants/:tenant/forgotten", async () => ({}));
        instance.post("/forgotten", async () => ({}));
      },
    ],
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
