/**
 * Which service a command speaks to over HTTP, and by which token.
 * @module
 */
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { secretOf } from "../sync/secret-of.ts";
import { readNamedFile } from "../text-file.ts";

/** The flags, as they were given. */
export interface RemoteFlags {
  readonly "token-file"?: string | undefined;
}

/**
 * The token: what the file of `--token-file` holds, else the variable `SCIM_TOKEN`, or the file that
 * `SCIM_TOKEN_FILE` names; null for none. A token is never
 * taken from the command line, which others can read.
 * @throws CommandFailure where the file cannot be read
 */
export function tokenOf(flags: RemoteFlags, environment: Environment): string | null {
  return tokenNamed("SCIM_TOKEN", flags, environment);
}

/**
 * The token of an administrator: the same, with the variable `SCIM_ADMIN_TOKEN` and `SCIM_ADMIN_TOKEN_FILE`.
 * @throws CommandFailure where the file cannot be read
 */
export function adminTokenOf(flags: RemoteFlags, environment: Environment): string | null {
  return tokenNamed("SCIM_ADMIN_TOKEN", flags, environment);
}

/** The file of credentials that the server writes on its first start has a line for each. */
const LINES = {
  SCIM_TOKEN: /^SCIM_TOKEN=(?<token>.*)$/m,
  SCIM_ADMIN_TOKEN: /^SCIM_ADMIN_TOKEN=(?<token>.*)$/m,
};

type Variable = keyof typeof LINES;

function tokenNamed(
  variable: Variable,
  { "token-file": file }: RemoteFlags,
  environment: Environment,
): string | null {
  if (file !== undefined) return readTokenFile(file, variable);
  return secretOf(environment, variable);
}

function readTokenFile(file: string, variable: Variable): string {
  const text = readNamedFile("The token file", file);
  const line = LINES[variable].exec(text)?.groups?.["token"];
  // Whoever gives the token of another purpose is told so, and it goes nowhere.
  if (line === undefined && Object.values(LINES).some((each) => each.test(text)))
    throw new CommandFailure(
      EXIT.usage,
      `The token file ${file} has no line ${variable}=, which is asked for here.`,
    );
  const token = (line ?? text).trim();
  if (/^[\u0021-\u007E]+$/.test(token)) return token;
  throw new CommandFailure(EXIT.usage, `The token file ${file} holds no token: one line, without spaces.`);
}
