/**
 * What is said at a start of addresses of old that serve nobody.
 * @module
 */
import type { Logger } from "pino";
import type { Settings } from "../settings/table.ts";
import type { OpenedStore } from "./open-store.ts";

/**
 * Warns of each mount whose tenant or connection there is not: a name that is misspelt answers 404 as any other address
 * does, and clients would be the first to know. It is served once there is one.
 */
export async function noticeEmptyMounts(
  { mounts }: Pick<Settings, "mounts">,
  { store }: OpenedStore,
  log: Logger,
): Promise<void> {
  for (const mount of mounts ?? []) {
    const { tenant, connection } = mount;
    const isThere =
      (await store.tenants.find(tenant)) !== null &&
      (connection === null || (await store.connections.find(tenant, connection)) !== null);
    if (!isThere) log.warn(mount, "a mount names a tenant or a connection that there is not");
  }
}
