/**
 * The routes of administration: tenants, connections, tokens and administrators.
 * @module
 */
import type { FastifyPluginAsync } from "fastify";
import type { OpenedStore } from "../store/open-store.ts";
import { adminRoutes } from "./admins.ts";
import { clientRoutes } from "./clients.ts";
import { connectionRoutes } from "./connections.ts";
import { issuerRoutes } from "./issuers.ts";
import { tenantRoutes } from "./tenants.ts";
import { tokenRoutes } from "./tokens.ts";

/**
 * All of them, over an open store.
 * @param readKeys reads the JSON at an address of an issuer
 */
export function administrationRoutes(
  opened: OpenedStore,
  readKeys: (address: string) => Promise<unknown>,
): FastifyPluginAsync {
  return async (instance) => {
    for (const routes of [tenantRoutes, connectionRoutes, tokenRoutes, clientRoutes, adminRoutes])
      await instance.register(routes(opened));
    await instance.register(issuerRoutes(opened, readKeys));
  };
}
