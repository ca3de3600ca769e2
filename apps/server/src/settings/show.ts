/**
 * Settings as text: for `scim config` and for the documentation.
 * @module
 */
import { columns } from "../columns.ts";
import type { EffectiveSetting } from "./resolve.ts";
import { flagOf, variableOf } from "./setting.ts";
import { SETTING_KEYS, SETTINGS } from "./table.ts";

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

/** All settings as a page of documentation. */
export function settingsPage(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { doc, fallback, unit, bound } = SETTINGS[key];
    const shown = fallback === null ? "" : `\`${fallback}\``;
    return `| \`${key}\` | \`${flagOf(key)}\` | \`${variableOf(key)}\` | ${shown} | ${unit} | ${bound} | ${doc} |`;
  });
  return [
    "# Configuration",
    "",
    "Every setting has the same name as a key of the configuration file, as a flag of `scim serve` and as an",
    "environment variable. A flag goes before the environment, the environment before the file, the file before the",
    "default. `scim config` prints the values in effect, where each comes from, and never a secret. A flag or a key that is no",
    "setting is refused; of a variable that looks as if one was meant, `scim serve` and `scim config` tell on standard error.",
    "",
    "A variable that may hold a secret may name a file instead, with `_FILE` behind its name: `SCIM_TOKEN_FILE`,",
    "`SCIM_ADMIN_TOKEN_FILE`, `SCIM_SECRET_KEYS_FILE`, `SCIM_DATABASE_URL_FILE`. A line end behind the value is left out.",
    "",
    "The configuration file is a JSON object with the keys below, each once; `--config` or `SCIM_CONFIG` names it:",
    "",
    "```json",
    '{ "port": 9000, "profile": "entra", "filter.maxResults": 500 }',
    "```",
    "",
    "| key | flag | environment | default | unit | bound | meaning |",
    "|---|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
