/**
 * A further tenant of a server under measurement.
 * @module
 */
import { send } from "../http/load.ts";
import type { Target } from "../http/start.ts";

/** Adds a tenant through the admin API. Resolves to the server as it is reached with a token of that tenant. */
export async function addTenant(server: Target, adminToken: string, tenant: string): Promise<Target> {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  const admin: Target = { ...server, base: new URL("/admin/v1", server.base).href, headers };
  await send(admin, "POST", "/tenants", { tenant });
  const made = await send(admin, "POST", `/tenants/${tenant}/connections/default/tokens`, {});
  const { token } = JSON.parse(made);
  return { ...server, headers: { ...server.headers, authorization: `Bearer ${String(token)}` } };
}
