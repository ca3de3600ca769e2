/**
 * Profiles as people name them: `entra`, or `entra,-bare-token` with switches turned on and off.
 * @module
 */
import { PROFILES, type Profile } from "@scim/core";
import { flippedProfile, readSwitchFlips } from "@scim/tenancy";
import { PROFILE_NAMES } from "../settings/profile-names.ts";

/**
 * The profile that a text names.
 * @throws TypeError saying what is wrong
 */
export function namedProfile(text: string): Profile {
  const [name = "", ...flips] = text.split(",").map((part) => part.trim());
  const named = PROFILE_NAMES.find((known) => known === name);
  if (named !== undefined) return flippedProfile(PROFILES[named], readSwitchFlips(flips));
  throw new TypeError(`There is no profile '${name}'; there are ${PROFILE_NAMES.join(", ")}`);
}
