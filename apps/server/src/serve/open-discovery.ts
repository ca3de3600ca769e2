/**
 * Which tenants let everybody read what the service tells of itself and of their schemas.
 * @module
 */
import type { OpenDiscovery } from "@scim/http";
import { profileOf } from "../profile.ts";
import type { Settings } from "../settings/table.ts";
import type { OpenedStore } from "../store/open-store.ts";

/** Whoever reads so has no connection: what depends on a profile is told as the settings have it. */
export function openDiscovery(settings: Settings, { rules }: Pick<OpenedStore, "rules">): OpenDiscovery {
  const profile = profileOf(settings);
  return async (tenant) => {
    const row = await rules.find(tenant);
    return row?.state === "active" && row.discovery === "open" ? profile : null;
  };
}
