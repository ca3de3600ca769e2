/**
 * Profiles as people name them: `entra`, or `entra,-bare-token` with switches turned on and off.
 * @module
 */
import { PROFILES, type Profile, type ProfileName } from "@scim/core";
import { flippedProfile, readSwitchFlips } from "@scim/tenancy";

// The keys of a record typed by the names of the profiles are these names.
/** The names of the profiles. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

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
