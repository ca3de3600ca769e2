/**
 * Secrets of commands: from a variable of the environment, or from the file that another names.
 * @module
 */
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { readTextFile } from "../text-file.ts";

/** What a bearer token is made of: anything else could not stand in a header, and people give the whole header at times. */
const TOKEN = /^[\u0021-\u007E]+$/;

/**
 * The token of a variable, or of the file that the variable with `_FILE` behind its name names; null for none.
 * @throws CommandFailure where both are given, the file cannot be read, or what is given is no token; it is never repeated
 */
export function secretOf(environment: Environment, variable: string): string | null {
  const secret = givenSecret(environment, variable);
  if (secret === null || TOKEN.test(secret)) return secret;
  throw new CommandFailure(
    EXIT.usage,
    `${(environment[variable] ?? "") === "" ? `${variable}_FILE` : variable} holds no token: that has no spaces and no line ends, and no 'Bearer' in front.`,
  );
}

function givenSecret(environment: Environment, variable: string): string | null {
  const { [variable]: given = "", [`${variable}_FILE`]: file = "" } = environment;
  if (file === "") return given === "" ? null : given;
  if (given !== "") throw new CommandFailure(EXIT.usage, `Give ${variable} or ${variable}_FILE, not both.`);
  try {
    return readTextFile(file).replace(/\r?\n$/, "");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${variable}_FILE cannot be read: ${reason}.`, cause);
  }
}
