/**
 * The profile of a connection: the named one, with the switches that the connection flips.
 * @module
 */
import { createProfile, PROFILES, SWITCHES, type Profile, type SwitchName } from "@scim/core";
import type { Connection, SwitchFlip } from "./connection.ts";

/**
 * Reads switches as they are written: a name turns on, a minus before it turns off.
 * @throws TypeError naming what there is, or a switch that is turned both on and off
 *
 * @example
 * readSwitchFlips(["require-version", "-bare-token"]);
 */
export function readSwitchFlips(texts: readonly string[]): readonly SwitchFlip[] {
  const flips = texts.map((text): readonly [SwitchName, boolean] => {
    const on = !text.startsWith("-");
    const name = on ? text : text.slice(1);
    if (isSwitch(name)) return [name, on];
    throw new TypeError(`There is no switch '${name}'; there are ${Object.keys(SWITCHES).join(", ")}`);
  });
  const read = new Map(flips);
  const twofold = flips.find(([name, on]) => read.get(name) !== on);
  if (twofold !== undefined)
    throw new TypeError(`The switch '${twofold[0]}' is turned both on and off; name it once`);
  return [...read].map(([name, on]) => ({ name, on }));
}

/** Switches as {@link readSwitchFlips} reads them. */
export function writeSwitchFlips(flips: readonly SwitchFlip[]): readonly string[] {
  return flips.map(({ name, on }) => (on ? name : `-${name}`));
}

/** A profile with switches flipped. */
export function flippedProfile(profile: Profile, flips: readonly SwitchFlip[]): Profile {
  if (flips.length === 0) return profile;
  const on = new Set(profile.switches);
  for (const flip of flips) {
    if (flip.on) on.add(flip.name);
    else on.delete(flip.name);
  }
  return createProfile(profile.name, on);
}

/** Profiles that are kept, so that equal ones are one object: what is compiled for a profile is found by it. */
const MOST_KEPT = 1000;

/**
 * Makes what finds the profile of a connection.
 * @param fallback profile of connections that name none
 */
export function createConnectionProfiles(
  fallback: Profile,
): (connection: Pick<Connection, "profile" | "switches">) => Profile {
  const kept = new Map<string, Profile>();
  return ({ profile, switches }) => {
    const base = profile === null ? fallback : PROFILES[profile];
    if (switches.length === 0) return base;
    const key = [profile ?? "", ...writeSwitchFlips(switches)].join(" ");
    const known = kept.get(key);
    if (known !== undefined) return known;
    if (kept.size >= MOST_KEPT) kept.clear();
    const made = flippedProfile(base, switches);
    kept.set(key, made);
    return made;
  };
}

function isSwitch(name: string): name is SwitchName {
  return Object.hasOwn(SWITCHES, name);
}
