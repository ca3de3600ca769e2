/**
 * What a shell offers at each place of a command line.
 * @module
 */
import type { Offered } from "../command-table/arguments.ts";
import type { Action, Command } from "../command-table/command.ts";
import { flagsOfSettings } from "../command-table/setting-flags.ts";

/** A word with what it does. */
export interface OfferedWord {
  readonly word: string;
  readonly does: string;
}

/** A place: behind `scim`, behind a command, or behind the words of an action. */
export interface Place {
  /** The words before it, such as `token create`; empty behind `scim`. */
  readonly path: string;
  /** Words that lead to another place. */
  readonly words: readonly OfferedWord[];
  /** Flags with their dashes. */
  readonly flags: readonly OfferedWord[];
  /** What its operands may be. */
  readonly operands: Offered | null;
}

/** A flag with what may stand behind it. */
export interface FlagValues {
  /** The place where this holds; null everywhere else. */
  readonly path: string | null;
  /** With its dashes. */
  readonly flag: string;
  readonly offers: Offered;
}

/** Everything that shells offer. */
export interface Completions {
  readonly places: readonly Place[];
  readonly values: readonly FlagValues[];
  /** Flags with a text behind them, wherever they stand. */
  readonly textFlags: readonly string[];
}

const EVERYWHERE: readonly OfferedWord[] = [{ word: "--help", does: "tell how to use it" }];

/** What shells offer for some commands. */
export function completionsOf(commands: readonly Command[]): Completions {
  const settings = flagsOfSettings("all");
  const topics = commands.map(({ name, does }) => ({ word: name, does }));
  const first: Place = {
    path: "",
    words: [...topics, { word: "help", does: "tell how to use it" }],
    flags: [...EVERYWHERE, { word: "--version", does: "print the version" }],
    operands: null,
  };
  const help: Place = { path: "help", words: topics, flags: EVERYWHERE, operands: null };
  const own = commands.flatMap((command) => command.actions.flatMap((action) => valuesOf(command, action)));
  return {
    places: [first, help, ...commands.flatMap(placesOf)],
    values: [
      ...own,
      ...settings.flatMap(({ name, flag: { offers } }) =>
        offers === undefined ? [] : [{ path: null, flag: `--${name}`, offers }],
      ),
    ],
    textFlags: [...new Set([...textFlagsOf(commands), ...settings.map(({ name }) => `--${name}`)])],
  };
}

function textFlagsOf(commands: readonly Command[]): readonly string[] {
  return commands
    .flatMap(({ actions }) => actions)
    .flatMap(({ flags }) => Object.entries(flags))
    .filter(([, { type }]) => type === "string")
    .map(([name]) => `--${name}`);
}

function placesOf(command: Command): readonly Place[] {
  const places = new Map<string, Place>();
  for (const action of command.actions) {
    const words = [command.name, ...action.name.split(" ").filter((word) => word !== "")];
    for (const [at, word] of words.entries()) {
      const before = words.slice(0, at).join(" ");
      const does = at === words.length - 1 ? action.does : "";
      if (at > 0) places.set(before, withWord(places.get(before) ?? placeBefore(before), { word, does }));
    }
    places.set(words.join(" "), placeOf(words.join(" "), action));
  }
  return [...places.values()];
}

/** A place where an action is still to be named. */
function placeBefore(path: string): Place {
  return { path, words: [], flags: EVERYWHERE, operands: null };
}

function withWord(place: Place, offered: OfferedWord): Place {
  if (place.words.some(({ word }) => word === offered.word)) return place;
  return { ...place, words: [...place.words, offered] };
}

function placeOf(path: string, { flags, settings, operands }: Action): Place {
  const own = Object.entries(flags).map(([name, { does }]) => ({ word: `--${name}`, does }));
  const others = flagsOfSettings(settings)
    .map(({ name, flag: { does } }) => ({ word: `--${name}`, does }))
    .filter(({ word }) => !own.some((known) => known.word === word));
  return {
    path,
    words: [],
    flags: [...own, ...others, ...EVERYWHERE],
    operands: operands.map(({ offers }) => offers).find((offers) => offers !== undefined) ?? null,
  };
}

function valuesOf(command: Command, { name, flags }: Action): readonly FlagValues[] {
  const path = `${command.name} ${name}`.trimEnd();
  return Object.entries(flags).flatMap(([flag, described]) =>
    described.type === "boolean" || described.offers === undefined
      ? []
      : [{ path, flag: `--${flag}`, offers: described.offers }],
  );
}
