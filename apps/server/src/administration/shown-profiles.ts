/**
 * Profiles, and the switches of connections, as they are shown: the same JSON on the command line and below `/admin/v1`.
 * @module
 */
import { PROFILES, type Profile, SWITCHES, type SwitchName } from "@scim/core";
import { type Connection, flippedProfile, type SwitchFlip } from "@scim/tenancy";
import { profileOf } from "../profile.ts";
import { PROFILE_NAMES } from "../settings/profile-names.ts";
import type { Settings } from "../settings/table.ts";

/** A profile among the others; `means` is the release that its name stands for. */
export interface ListedProfile {
  readonly name: string;
  readonly means: string;
  readonly switches: readonly SwitchName[];
}

/** All profiles. */
export function listedProfiles(): readonly ListedProfile[] {
  return PROFILE_NAMES.map((name) => ({
    name,
    means: PROFILES[name].name,
    switches: [...PROFILES[name].switches],
  }));
}

/** A switch that is on, and what it does. */
export interface ShownSwitch {
  readonly name: SwitchName;
  readonly does: string;
}

/** A profile alone, with its switches. */
export interface ShownProfile {
  readonly name: string;
  readonly switches: readonly ShownSwitch[];
}

/** Tells what a profile turns on. */
export function shownProfile({ name, switches }: Profile): ShownProfile {
  return { name, switches: [...switches].map((each) => ({ name: each, does: SWITCHES[each].does })) };
}

/** A switch as a connection has it, and who decides: its profile, the settings of the server, or the connection. */
export interface DecidedSwitch extends ShownSwitch {
  readonly on: boolean;
  readonly by: "profile" | "settings" | "connection";
}

/** All switches, as a connection has them. */
export interface ShownSwitches {
  /** The release of its profile. */
  readonly profile: string;
  readonly switches: readonly DecidedSwitch[];
}

/** Tells of each switch whether a connection has it on. The settings are those of a connection without a profile. */
export function shownSwitches(
  { profile, switches }: Pick<Connection, "profile" | "switches">,
  settings: Pick<Settings, "profile" | "switches">,
): ShownSwitches {
  const of = flippedProfile(profile === null ? profileOf(settings) : PROFILES[profile], switches);
  const own = namesOf(switches);
  const set = namesOf(profile === null ? (settings.switches ?? []) : []);
  const shown = Object.values(SWITCHES).map(({ name, does }): DecidedSwitch => {
    const by = own.has(name) ? "connection" : set.has(name) ? "settings" : "profile";
    return { name, does, on: of.switches.has(name), by };
  });
  return { profile: of.name, switches: shown.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function namesOf(flips: readonly SwitchFlip[]): ReadonlySet<SwitchName> {
  return new Set(flips.map(({ name }) => name));
}
