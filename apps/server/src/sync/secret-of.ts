/**
 * Secrets of commands: from a variable of the environment, or from the file that another names.
 * @module
 */
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { readTextFile } from "../text-file.ts";

/**
 * The secret of a variable, or of the file that the variable with `_FILE` behind its name names; null for none.
 * @throws CommandFailure where the file cannot be read
 */
export function secretOf(environment: Environment, variable: string): string | null {
  const given = environment[variable];
  if (given !== undefined && given !== "") return given;
  const file = environment[`${variable}_FILE`];
  if (file === undefined || file === "") return null;
  try {
    return readTextFile(file).replace(/\r?\n$/, "");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${variable}_FILE cannot be read: ${reason}.`, cause);
  }
}
