/**
 * The settings as flags of commands, with what shells offer behind them.
 * @module
 */
import { flagOf, type Setting } from "../settings/setting.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey } from "../settings/table.ts";
import { text, type TakenSettings, type TextFlag } from "./arguments.ts";

/** A flag with its name, without dashes. */
export interface NamedFlag {
  readonly name: string;
  readonly flag: TextFlag;
}

/** The settings that tell where the data is. */
const OF_DATABASE: readonly SettingKey[] = ["databaseUrl", "dataDir", "schemas"];

/** The flags of settings that help and shells show for a command; each command that takes any takes all. */
export function flagsOfSettings(taken: TakenSettings): readonly NamedFlag[] {
  if (taken === "none") return [];
  const config = {
    name: "config",
    flag: text("FILE", "A JSON file with settings by key.", { offers: "file" }),
  };
  const keys = taken === "all" ? SETTING_KEYS : OF_DATABASE;
  return [config, ...keys.map((key) => ({ name: flagOf(key).slice(2), flag: flagOfSetting(SETTINGS[key]) }))];
}

function flagOfSetting({ doc, bound, words }: Setting<unknown>): TextFlag {
  const isPath = bound === "a path";
  return text(
    isPath ? "PATH" : "VALUE",
    doc,
    words === undefined ? (isPath ? { offers: "file" } : {}) : { offers: words },
  );
}
