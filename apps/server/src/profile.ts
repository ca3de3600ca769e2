/**
 * The profile of the default connection.
 * @module
 */
import { PROFILES, type Profile } from "@scim/core";
import { flippedProfile } from "@scim/tenancy";
import type { Settings } from "./settings/table.ts";

/** The profile that the settings name, with the switches that they flip. */
export function profileOf({ profile, switches }: Pick<Settings, "profile" | "switches">): Profile {
  return flippedProfile(PROFILES[profile], switches ?? []);
}
