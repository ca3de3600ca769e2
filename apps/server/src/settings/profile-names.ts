/**
 * The names of the profiles.
 * @module
 */
import { PROFILES, type ProfileName } from "@scim/core";

// The keys of a record typed by the names of the profiles are these names.
/** The names of the profiles. */
export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];
