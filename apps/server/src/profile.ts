/**
 * The profiles of connections, the default one first.
 * @module
 */
import { PROFILES, type Profile } from "@scim/core";
import { type ConnectionStore, createConnectionProfiles, flippedProfile } from "@scim/tenancy";
import type { Settings } from "./settings/table.ts";

/** The profile that the settings name, with the switches that they flip. */
export function profileOf({ profile, switches }: Pick<Settings, "profile" | "switches">): Profile {
  return flippedProfile(PROFILES[profile], switches ?? []);
}

/** Makes what finds the profile that a connection of a tenant has now; that of the settings where it is gone. */
export function connectionProfiles(
  settings: Settings,
  connections: Pick<ConnectionStore, "find">,
): (tenant: string, connection: string) => Promise<Profile> {
  const profiles = createConnectionProfiles(profileOf(settings));
  return async (tenant, connection) =>
    profiles((await connections.find(tenant, connection)) ?? { profile: null, switches: [] });
}
