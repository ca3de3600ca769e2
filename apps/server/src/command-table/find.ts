/**
 * Finds the command and the action that arguments name.
 * @module
 */
import { CommandFailure, EXIT } from "../failure.ts";
import type { TextFlag, SwitchFlag } from "./arguments.ts";
import type { Action, Command } from "./command.ts";
import { didYouMean } from "./nearest.ts";
import { refuseUnknown, SETTING_FLAGS, wrongUsage } from "./read-arguments.ts";

/**
 * The command of a name.
 * @throws CommandFailure with the nearest one where there is none
 */
export function findCommand(commands: readonly Command[], name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  if (name.startsWith("-"))
    throw new CommandFailure(
      EXIT.usage,
      `There is no command '${name}': flags stand behind the command. 'scim --help' lists the commands.`,
    );
  const guess = didYouMean(
    name,
    commands.map((command) => command.name),
    (near) => `scim ${near}`,
  );
  throw new CommandFailure(
    EXIT.usage,
    `There is no command '${name}'${guess === "" ? ";" : guess} 'scim --help' lists the commands.`,
  );
}

/**
 * The action of a command that arguments name; null where they hold no word.
 * @throws CommandFailure with the nearest one where there is none
 */
export function findAction(command: Command, args: readonly string[]): Action | null {
  const [alone] = command.actions;
  if (alone.name === "") return alone;
  const words = wordsOf(command, args);
  const found = command.actions
    .filter(({ name }) => name.split(" ").every((word, at) => words[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (found !== undefined) return found;
  const [word, second] = words;
  if (word === undefined) return null;
  const begun = command.actions.filter(({ name }) => name.startsWith(`${word} `));
  const typed = begun.length > 0 && second !== undefined ? `${word} ${second}` : word;
  const guess = didYouMean(
    typed,
    command.actions.map(({ name }) => name),
    (name) => `scim ${command.name} ${name}`,
  );
  throw wrongUsage(
    `There is no 'scim ${command.name} ${typed}'${guess === "" ? `. ${usesOf(command)}` : guess}`,
    `scim ${command.name}`,
  );
}

/** `Use 'scim index list', 'scim index add' or 'scim index drop'.` */
export function usesOf({ name, actions }: Command): string {
  const uses = actions.map((each) => `'scim ${name} ${each.name}'`);
  const last = uses.at(-1) ?? "";
  return `Use ${uses.length > 1 ? `${uses.slice(0, -1).join(", ")} or ${last}` : last}.`;
}

/** Flags may stand before the words, so that what stands behind a flag must be known. */
function wordsOf(command: Command, args: readonly string[]): readonly string[] {
  const known: Record<string, TextFlag | SwitchFlag | { readonly type: "string" }> = { ...SETTING_FLAGS };
  for (const { flags } of command.actions) Object.assign(known, flags);
  return refuseUnknown(args, known, `scim ${command.name}`);
}
