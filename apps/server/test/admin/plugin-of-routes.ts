/**
 * The admin API over routes that a test makes, without a store behind it.
 * @module
 */
import { type Principal, PROFILES, type Scope } from "@scim/core";
import { ADMIN_TENANT, NO_TENANT_SETTINGS, type Tenant } from "@scim/tenancy";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { onTestFinished } from "vitest";
import { adminPlugin } from "../../src/admin/plugin.ts";
import { createReadingTurns } from "../../src/admin/reading-turns.ts";

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

function tenantNamed(tenant: string): Tenant {
  const created = "2026-11-22T08:00:00.000Z";
  return {
    ...NO_TENANT_SETTINGS,
    tenant,
    created,
    displayName: null,
    state: "active",
    revision: 1,
    documents: 0,
  };
}

/** Serves them until the test ends; a bearer token is the scope that it has, and every tenant is there. */
export async function servedRoutes(routes: FastifyPluginAsync): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(adminPlugin, {
    authenticate: async (token) => principalOf(token),
    limiter: { admit: () => null, admitRest: () => null, refused: () => null },
    tenants: { find: async (name) => tenantNamed(name) },
    trail: { tell: async () => undefined },
    tracing: { request: (_request, done) => done() },
    onRequestDone: () => undefined,
    turns: createReadingTurns(),
    routes: [routes],
  });
  return app;
}
