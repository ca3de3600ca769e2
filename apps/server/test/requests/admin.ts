/**
 * What an administrator reads of the request log of a server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { eventually } from "../eventually.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";

/** The token of administrators of every server of these tests. */
export const ADMIN_TOKEN = newToken("admin");

/** Calls the admin API; `path` is below `/admin/v1/tenants/default`. */
export function admin(
  { origin }: { readonly origin: string },
  path: string,
  { method = "GET", body = null }: { readonly method?: string; readonly body?: string | null } = {},
): Promise<WireAnswer> {
  return exchange(origin, {
    method,
    path: `/admin/v1/tenants/default${path}`,
    headers: {
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body === null ? {} : { "Content-Type": "application/json", "If-Match": "*" }),
    },
    body,
  });
}

/** Waits until the log has so many entries, and answers them, the newest first. */
export async function logged(
  server: { readonly origin: string },
  count: number,
): Promise<readonly JsonObject[]> {
  return eventually(async () => {
    const { body } = await admin(server, "/requests?limit=1000");
    // The admin API answers a list of objects.
    const entries = body["requests"] as readonly JsonObject[];
    if (entries.length < count) throw new Error(`The request log has not come to ${count} entries.`);
    return entries;
  });
}
