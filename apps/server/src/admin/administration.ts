/**
 * The routes of administration: tenants, connections, tokens and administrators.
 * @module
 */
import type { FastifyPluginAsync } from "fastify";
import type { OpenedStore } from "../open-store.ts";
import { adminRoutes } from "./admins.ts";
import { clientRoutes } from "./clients.ts";
import { connectionRoutes } from "./connections.ts";
import { tenantRoutes } from "./tenants.ts";
import { tokenRoutes } from "./tokens.ts";

/** All of them, over an open store. */
export function administrationRoutes(opened: OpenedStore): FastifyPluginAsync {
  return async (instance) => {
    for (const routes of [tenantRoutes, connectionRoutes, tokenRoutes, clientRoutes, adminRoutes])
      await instance.register(routes(opened));
  };
}
