/**
 * The profile of the default connection.
 * @module
 */
import { createProfile, PROFILES, type Profile } from "@scim/core";
import type { Settings } from "./settings/table.ts";

/** The profile that the settings name, with the switches that they flip. */
export function profileOf({ profile, switches }: Pick<Settings, "profile" | "switches">): Profile {
  const named = PROFILES[profile];
  if (switches === null) return named;
  const on = new Set(named.switches);
  for (const flip of switches) {
    if (flip.on) on.add(flip.name);
    else on.delete(flip.name);
  }
  return createProfile(named.name, on);
}
