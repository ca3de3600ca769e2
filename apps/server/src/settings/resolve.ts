/**
 * Finds the effective value of each setting: flag, else environment, else configuration file, else default.
 * @module
 */
import { decodeJson, DEFAULT_HTTP_LIMITS } from "@scim/http";
import { isJsonObject, isScimError } from "@scim/schemas";
import { didYouMean } from "../command-table/nearest.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { readTextFile } from "../text-file.ts";
import { WORKER_VARIABLE } from "../workers/messages.ts";
import { mistypedVariables } from "./mistyped.ts";
import { flagOf, variableOf, type Setting } from "./setting.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from "./table.ts";

/** Where settings come from. */
export interface SettingSources {
  /** Flags by name without dashes. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A setting as it is in effect, for people. */
export interface EffectiveSetting {
  readonly key: SettingKey;
  /** The text; null for nothing, or where it is secret. */
  readonly text: string | null;
  readonly given: boolean;
  /** Such as `default`, `flag --port`, `environment SCIM_PORT`, `file scim.json`. */
  readonly origin: string;
}

/** The settings in effect. */
export interface ResolvedSettings {
  readonly values: Settings;
  readonly effective: readonly EffectiveSetting[];
  /** A sentence for each variable that is no setting, though it looks as if one was meant. */
  readonly mistyped: readonly string[];
}

/** Flag and variable that name the configuration file, which cannot name itself. */
const CONFIG_KEY = "config";

/**
 * Reads every setting.
 * @throws CommandFailure naming the setting, its origin and what it must be; a secret is never repeated
 */
export function resolveSettings(sources: SettingSources): ResolvedSettings {
  const file = readFile(sources);
  const found = SETTING_KEYS.map((key) => ({ key, ...find(key, sources, file) }));
  // Each member is read by the setting of its key, so the whole has the type of the table.
  const values = Object.fromEntries(
    found.map(({ key, ...source }) => [key, valueOf(key, source)]),
  ) as Settings;
  const effective = found.map(({ key, text, origin }) => ({
    key,
    text: shownText(SETTINGS[key], text),
    given: text !== null,
    origin,
  }));
  return { values, effective, mistyped: mistypedVariables(sources.environment, VARIABLES) };
}

function shownText({ secret, show }: Setting<unknown>, text: string | null): string | null {
  if (secret || text === null) return null;
  return show === undefined ? text : show(text);
}

interface Found {
  readonly text: string | null;
  readonly origin: string;
}

interface ConfigFile {
  readonly path: string;
  readonly texts: ReadonlyMap<string, string>;
}

function find(key: SettingKey, sources: SettingSources, file: ConfigFile | null): Found {
  const given = lookUp(key, sources);
  if (given !== null) return given;
  const text = file?.texts.get(key);
  if (text !== undefined) return { text, origin: `file ${file?.path ?? ""}` };
  return { text: SETTINGS[key].fallback, origin: "default" };
}

/** Settings whose value may hold a secret, so that a file may hold it in the place of the environment. */
const SECRET_KEYS: ReadonlySet<string> = new Set(
  SETTING_KEYS.filter((key) => {
    const { secret, show }: Setting<unknown> = SETTINGS[key];
    return secret || show !== undefined;
  }),
);

/** Every variable that has a meaning. */
const VARIABLES: readonly string[] = [
  ...[...SETTING_KEYS, CONFIG_KEY].map(variableOf),
  ...[...SECRET_KEYS].map((key) => `${variableOf(key)}_FILE`),
  WORKER_VARIABLE,
];

/**
 * The text of the file that a variable such as `SCIM_TOKEN_FILE` names, without the line end behind it.
 * @throws CommandFailure where the file cannot be read, or the variable without `_FILE` is given too
 */
function secretOf(key: string, { environment }: SettingSources): Found | null {
  const variable = variableOf(key);
  const fileVariable = `${variable}_FILE`;
  const path = environment[fileVariable];
  if (path === undefined || path === "" || !SECRET_KEYS.has(key)) return null;
  if ((environment[variable] ?? "") !== "")
    throw new CommandFailure(EXIT.usage, `Give ${variable} or ${fileVariable}, not both.`);
  try {
    const text = readTextFile(path).replace(/\r?\n$/, "");
    return { text, origin: `environment ${fileVariable}` };
  } catch (cause) {
    throw new CommandFailure(EXIT.usage, `${fileVariable} names a file that cannot be read: ${path}.`, cause);
  }
}

/** An empty environment variable counts as not set. */
function lookUp(key: string, sources: SettingSources): Found | null {
  const flag = flagOf(key);
  const fromFlag = sources.flags[flag.slice(2)];
  if (fromFlag !== undefined) return { text: fromFlag, origin: `flag ${flag}` };
  const variable = variableOf(key);
  const fromEnvironment = sources.environment[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== "") {
    secretOf(key, sources);
    return { text: fromEnvironment, origin: `environment ${variable}` };
  }
  return secretOf(key, sources);
}

function valueOf(key: SettingKey, { text, origin }: Found): unknown {
  if (text === null) return null;
  const setting: Setting<unknown> = SETTINGS[key];
  try {
    return setting.read(text);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `${nameAt(key, origin)} ${cause.message}.`, cause);
  }
}

function nameAt(key: SettingKey, origin: string): string {
  if (origin.startsWith("flag ")) return flagOf(key);
  if (origin.startsWith("environment ")) return origin.slice("environment ".length);
  return `Setting '${key}' (${origin})`;
}

function readFile(sources: SettingSources): ConfigFile | null {
  const path = lookUp(CONFIG_KEY, sources)?.text ?? null;
  if (path === null) return null;
  const document = parse(path);
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(document)) {
    const known = SETTING_KEYS.find((each) => each === key);
    if (known === undefined) {
      throw new CommandFailure(
        EXIT.usage,
        `${path} has the unknown key '${key}'${didYouMean(key, SETTING_KEYS) || ";"} 'scim config' lists the keys.`,
      );
    }
    if (typeof value !== "string" && typeof value !== "number") {
      const { bound } = SETTINGS[known];
      throw new CommandFailure(
        EXIT.usage,
        `${path}: the value of '${key}' must be a string or a number: ${bound}.`,
      );
    }
    texts.set(key, String(value));
  }
  return { path, texts };
}

function bytesOf(path: string): Uint8Array {
  try {
    return Buffer.from(readTextFile(path), "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `The configuration file ${path} cannot be read: ${reason}.`, cause);
  }
}

/** What is wrong with the JSON is told by its place, and by no value: the file may hold secrets. */
function parse(path: string): object {
  const bytes = bytesOf(path);
  try {
    const document = decodeJson(bytes, DEFAULT_HTTP_LIMITS.jsonDepth);
    if (isJsonObject(document)) return document;
  } catch (cause) {
    if (!isScimError(cause)) throw cause;
    // Text that is not of a client is no body of a request.
    const problem = cause.message.replace("The body", `The configuration file ${path}`);
    throw new CommandFailure(EXIT.usage, problem, cause);
  }
  throw new CommandFailure(EXIT.usage, `The configuration file ${path} must hold a JSON object.`);
}
