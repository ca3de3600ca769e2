/**
 * `scim --help`, `scim COMMAND --help` and `scim --version`.
 * @module
 */
import process from "node:process";
import { COMMANDS } from "../command-table/table.ts";
import { describeCommands } from "../command-table/describe.ts";
import { findCommand } from "../command-table/find.ts";
import { actionHelp, commandHelp, wholeHelp } from "../command-table/help-text.ts";
import type { ExitCode } from "../failure.ts";
import { printOwn } from "../output.ts";
import { programVersion } from "../program-version.ts";

/**
 * Prints how to use the command line, or the command or action that words name. Other words are left out of account: who
 * asks for help may stand in the middle of a line.
 * @throws CommandFailure where there is no such command
 */
export function help(args: readonly string[]): ExitCode {
  const json = args.includes("--json");
  const [name, ...words] = args.filter((arg) => !arg.startsWith("-"));
  if (name === undefined) return printOwn({ json }, describeCommands(COMMANDS), wholeHelp().trimEnd());
  const command = findCommand(COMMANDS, name);
  const action = command.actions
    .filter((each) => each.name.split(" ").every((word, at) => words[at] === word))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const text = action === undefined ? commandHelp(command) : actionHelp(command, action);
  return printOwn({ json }, describeCommands([command])[0], text.trimEnd());
}

/** Prints the version. */
export function version(args: readonly string[]): ExitCode {
  const text = programVersion();
  return printOwn({ json: args.includes("--json") }, { version: text, node: process.versions.node }, text);
}
