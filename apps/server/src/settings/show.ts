/**
 * Settings as text, for `scim config`.
 * @module
 */
import { columns } from "../columns.ts";
import type { EffectiveSetting } from "./resolve.ts";
import { SETTINGS } from "./table.ts";

/** The settings in effect as columns: name, value, unit, origin, bound, which is long. Secrets are told to be set, or not. */
export function showEffective(settings: readonly EffectiveSetting[]): string {
  const rows = settings.map((setting) => {
    const { unit, bound } = SETTINGS[setting.key];
    return [setting.key, valueOf(setting), unit, setting.origin, bound];
  });
  return columns([["setting", "value", "unit", "origin", "bound"], ...rows]);
}

/** The settings in effect for programs; the value of a secret is null, `given` tells whether there is one. */
export function describeEffective(settings: readonly EffectiveSetting[]): readonly object[] {
  return settings.map(({ key, text, given, origin }) => {
    const { unit, bound, secret } = SETTINGS[key];
    return { setting: key, value: secret ? null : text, given, secret, unit, bound, origin };
  });
}

function valueOf(setting: EffectiveSetting): string {
  if (SETTINGS[setting.key].secret) return setting.given ? "(set, not shown)" : "(not set)";
  return setting.text ?? "(not set)";
}
