/**
 * `scim mcp`: tools for an agent on any SCIM service, over standard input and output.
 * @module
 */
import process from "node:process";
import type { ScimClient } from "@scim/client";
import { createScimTools, ToolError } from "@scim/mcp";
import { serveStdio } from "@scim/mcp/protocol";
import { tenantOfToken } from "@scim/tenancy";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { printableLines } from "../printable.ts";
import { programVersion } from "../program-version.ts";
import { tokenOf, type RemoteFlags } from "../remote/remote-flags.ts";
import { withClient } from "../remote/with-client.ts";
import { readMessageJson } from "../tools/message-json.ts";

/** The flags of `scim mcp`, as they were given. */
export interface McpFlags extends RemoteFlags {
  readonly url: string;
  readonly tenant?: string;
  readonly "read-only"?: boolean;
  readonly tools?: string;
  readonly "hide-personal"?: boolean;
  readonly show?: readonly string[];
}

/** An agent gives a call up sooner than a program that runs at night. */
const PATIENCE = { limits: { timeout: 20_000 }, retries: { attempts: 2, maxRetryAfter: 10_000 } };

/** Serves until the input ends and what was asked is answered. Standard output holds messages of the protocol and nothing else. */
export async function mcpCommand(flags: McpFlags, environment: Environment): Promise<ExitCode> {
  const { url, tenant, tools: names, show } = flags;
  if (show !== undefined && flags["hide-personal"] !== true)
    throw new CommandFailure(EXIT.usage, "--show goes with --hide-personal: nothing is hidden without it.");
  const token = tokenOf(flags, environment);
  const allow = names?.split(",").map((name) => name.trim());
  const readOnly = flags["read-only"] === true;
  await withClient({ url, flags, environment, options: PATIENCE }, async (client) => {
    if (allow !== undefined) await checkNames(client, allow, readOnly);
    const ended = new AbortController();
    const tools = createScimTools({
      client,
      signal: ended.signal,
      tenant: tenant ?? (token === null ? null : tenantOfToken(token)),
      access: { ask: true, readOnly, allow },
      onFault: (thrown) => complain(`a tool failed: ${String(thrown)}`),
      mask: flags["hide-personal"] === true && { show },
    });
    try {
      await serveStdio(tools, {
        input: process.stdin,
        output: process.stdout,
        readJson: readMessageJson,
        version: programVersion(),
      });
    } finally {
      ended.abort();
    }
  });
  return EXIT.ok;
}

/**
 * What opens no tool was meant for one. Which there are, the service alone tells: while it cannot be asked, nothing can be
 * said against a name.
 */
async function checkNames(client: ScimClient, allow: readonly string[], readOnly: boolean): Promise<void> {
  const namesBy = async (patterns?: readonly string[]): Promise<readonly string[]> => {
    const tools = await createScimTools({ client, access: { readOnly, allow: patterns } }).list();
    return tools.map(({ name }) => name);
  };
  try {
    const there = await namesBy();
    for (const name of allow) {
      if ((await namesBy([name])).length > 0) continue;
      throw new CommandFailure(
        EXIT.usage,
        `--tools: '${name}' is the name of no tool${readOnly ? " that only reads" : ""}; there are ${there.join(", ")}.`,
      );
    }
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    complain(`--tools cannot be checked: ${cause.message}`);
  }
}

/** Standard output is that of the protocol. What a service says may steer no terminal. */
function complain(sentence: string): void {
  process.stderr.write(`scim mcp: ${printableLines(sentence)}\n`);
}
