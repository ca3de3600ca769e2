/**
 * `scim mcp`: tools for an agent on any SCIM service, over standard input and output.
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { createScimClient, isScimClientError, type ScimClient } from "@scim/client";
import { createScimTools } from "@scim/mcp";
import { serveStdio } from "@scim/mcp/protocol";
import { tenantOfToken } from "@scim/tenancy";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";

/** The flags of `scim mcp`, as they were given. */
export interface McpFlags {
  readonly url?: string;
  readonly "token-file"?: string;
  readonly tenant?: string;
  readonly "read-only"?: boolean;
  readonly tools?: string;
  readonly "hide-personal"?: boolean;
  readonly show?: readonly string[];
}

/** Serves until the input ends. Standard output holds messages of the protocol and nothing else. */
export async function mcpCommand(flags: McpFlags, environment: Environment): Promise<ExitCode> {
  const token = tokenOf(flags, environment);
  await using client = clientOf(flags, token);
  const { show } = flags;
  const tools = createScimTools({
    client,
    tenant: flags.tenant ?? tenantOfToken(token),
    access: {
      readOnly: flags["read-only"] === true,
      allow: flags.tools?.split(",").map((name) => name.trim()),
    },
    mask: flags["hide-personal"] === true && { show },
  });
  await serveStdio(tools, { input: process.stdin, output: process.stdout });
  return EXIT.ok;
}

function clientOf({ url = "" }: McpFlags, token: string): ScimClient {
  try {
    return createScimClient({ baseUrl: url, auth: token });
  } catch (error) {
    if (isScimClientError(error)) throw new CommandFailure(EXIT.usage, `--url: ${error.message}`, error);
    throw error;
  }
}

/** The token: never from the command line, which others on the machine can read. */
function tokenOf({ "token-file": file }: McpFlags, environment: Environment): string {
  const token = file === undefined ? environment["SCIM_TOKEN"] : textOf(file);
  if (token !== undefined && token.trim() !== "") return token.trim();
  throw new CommandFailure(
    EXIT.usage,
    file === undefined
      ? "There is no token: set SCIM_TOKEN, or name a file with --token-file."
      : `'${file}' holds no token.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The file with the token cannot be read: ${reason}`, cause);
  }
}
