/**
 * Which service a command speaks to over HTTP, and by which token.
 * @module
 */
import { readFileSync } from "node:fs";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { secretOf } from "../sync/secret-of.ts";

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
export function tokenOf({ "token-file": file }: RemoteFlags, environment: Environment): string | null {
  if (file !== undefined) return readTokenFile(file);
  return secretOf(environment, "SCIM_TOKEN");
}

function readTokenFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `The token file ${file} cannot be read: ${reason}.`, cause);
  }
  // The file that the server writes on its first start is one of these lines among others.
  const line = /^SCIM_TOKEN=(?<token>.*)$/m.exec(text)?.groups?.["token"];
  const token = (line ?? text).trim();
  if (/^[\u0021-\u007E]+$/.test(token)) return token;
  throw new CommandFailure(EXIT.usage, `The token file ${file} holds no token: one line, without spaces.`);
}
