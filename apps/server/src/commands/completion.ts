/**
 * `scim completion`: the script by which a shell completes command lines of `scim`.
 * @module
 */
import { didYouMean } from "../command-table/nearest.ts";
import type { Command } from "../command-table/command.ts";
import { completionsOf } from "../completion/places.ts";
import { SHELL_SCRIPTS } from "../completion/shells.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { printOwn, type Reader } from "../output.ts";

/**
 * Prints the script of a shell.
 * @throws CommandFailure where there is none for it
 */
export function completion(shell: string, commands: readonly Command[], reader: Reader): ExitCode {
  const script = SHELL_SCRIPTS.get(shell)?.(completionsOf(commands));
  if (script !== undefined) return printOwn(reader, { shell, script }, script.trimEnd());
  const known = [...SHELL_SCRIPTS.keys()];
  const guess = didYouMean(shell, known);
  throw new CommandFailure(
    EXIT.usage,
    `There is no completion for '${shell}'${guess === "" ? `; there is for ${known.join(", ")}.` : guess}`,
  );
}
