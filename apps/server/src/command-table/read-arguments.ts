/**
 * Reads the arguments of an action: its flags, the settings among them, and its operands.
 * @module
 */
import { parseArgs } from "node:util";
import { CommandFailure, EXIT } from "../failure.ts";
import { resolveSettings, type ResolvedSettings } from "../settings/resolve.ts";
import { flagOf } from "../settings/setting.ts";
import { SETTING_KEYS } from "../settings/table.ts";
import type { Environment, FlagTable, GivenFlags, Operand, TakenSettings } from "./arguments.ts";
import { didYouMean } from "./nearest.ts";
import { shownUsage } from "./usage.ts";

/** The flags of settings: each takes a text. */
export const SETTING_FLAGS: Readonly<Record<string, { readonly type: "string" }>> = Object.fromEntries(
  ["config", ...SETTING_KEYS].map((key) => [flagOf(key).slice(2), { type: "string" as const }]),
);

/** What an action takes. */
export interface Taken<Flags extends FlagTable> {
  readonly flags: Flags;
  readonly settings: TakenSettings;
  readonly operands: readonly Operand[];
  /** How many words name the action behind its command. */
  readonly words: number;
}

/** What was typed. */
export interface Typed {
  readonly args: readonly string[];
  /** Such as `scim token create`. */
  readonly called: string;
  readonly environment: Environment;
}

/** What was read. */
export interface Read<Flags extends FlagTable> {
  readonly resolved: ResolvedSettings;
  readonly positionals: readonly string[];
  readonly given: GivenFlags<Flags>;
}

/**
 * Reads arguments.
 * @throws CommandFailure naming what is wrong, and what was meant where that can be guessed
 */
export function readArguments<Flags extends FlagTable>(
  taken: Taken<Flags>,
  { args, called, environment }: Typed,
): Read<Flags> {
  const { flags, settings, operands, words } = taken;
  const settingFlags = settings === "none" ? {} : SETTING_FLAGS;
  const options = { ...settingFlags, ...flags };
  refuseUnknown(args, options, called);
  const { values, positionals } = parsed(called, () =>
    parseArgs({ args: [...args], options, allowPositionals: true }),
  );
  const usage = shownUsage(called, { operands, flags });
  refuseOperands(positionals.slice(words), { operands, usage, called });
  const named = new Set(Object.keys(values));
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.type === "string" && flag.required === true && !named.has(name))
      throw wrongUsage(`--${name} is missing. Use '${usage}'`, called);
  }
  const read: object = values;
  // `parseArgs` reads by the same table, and what is required was looked for.
  const given = read as GivenFlags<Flags>;
  const settingTexts = textsOfSettings(values, flags);
  const isElsewhere = named.has("url") && Object.hasOwn(flags, "url");
  const [aside] = isElsewhere ? Object.keys(settingTexts) : [];
  if (aside !== undefined)
    throw wrongUsage(`--${aside} has no effect beside --url: the server keeps its own settings`, called);
  // Nothing that stands in the environment may stop a command that needs none of it: tokens there are those of
  // the service that --url names, and have the form that it gives them.
  const settingsNeeded = settings !== "none" && !isElsewhere;
  const resolved = resolveSettings({ flags: settingTexts, environment: settingsNeeded ? environment : {} });
  return { resolved, positionals, given };
}

/** @throws CommandFailure for one too many, too few, or one that holds nothing */
function refuseOperands(
  given: readonly string[],
  { operands, usage, called }: Pick<Taken<FlagTable>, "operands"> & { usage: string; called: string },
): void {
  const least = operands.filter(({ optional }) => optional !== true).length;
  const most = operands.some(({ many }) => many === true) ? Number.POSITIVE_INFINITY : operands.length;
  const surplus = given[most];
  if (surplus !== undefined) throw wrongUsage(`'${called}' takes no '${surplus}'. Use '${usage}'`, called);
  if (given.length < least) throw wrongUsage(`Use '${usage}'`, called);
  const empty = given.findIndex((operand) => operand.trim() === "");
  if (empty < 0) return;
  const { name = "" } = operands[empty] ?? operands.at(-1) ?? {};
  throw wrongUsage(`${name} is empty: a variable of the shell may hold nothing. Use '${usage}'`, called);
}

/** A flag of the command that bears the name of a setting is not that setting. */
function textsOfSettings(values: object, flags: FlagTable): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string" && !Object.hasOwn(flags, name)) texts[name] = value;
  }
  return texts;
}

/** What `parseArgs` is told of flags. */
type Options = Readonly<
  Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean | undefined }>
>;

/**
 * Refuses a flag that is not among those known. Returns what stands without dashes.
 * @throws CommandFailure
 */
export function refuseUnknown(args: readonly string[], known: Options, called: string): readonly string[] {
  const types = Object.entries(known).map(([name, { type }]) => [name, { type }] as const);
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(known, token.name)) continue;
    if (token.name === "url" && Object.hasOwn(known, "target"))
      throw wrongUsage(`'${called}' is told of the service by --target`, called);
    if (token.name === "url")
      throw wrongUsage(`'${called}' works on this machine alone, without --url`, called);
    if (token.name === "dry-run" && Object.hasOwn(known, "apply"))
      throw wrongUsage(`'${called}' writes nothing without --apply`, called);
    const guess = didYouMean(token.name, Object.keys(known), (name) => `--${name}`);
    throw wrongUsage(`'${called}' has no flag '${token.rawName}'${guess}`, called);
  }
  return positionals;
}

function parsed<Parsed>(called: string, read: () => Parsed): Parsed {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw wrongUsage(reason, called, cause);
  }
}

/** A failure that says where to read on. */
export function wrongUsage(reason: string, called: string, cause?: unknown): CommandFailure {
  const end = /[.?]$/.test(reason) ? "" : ".";
  return new CommandFailure(EXIT.usage, `${reason}${end} '${called} --help' tells more.`, cause);
}
