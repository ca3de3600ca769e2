/**
 * The command for agents: `mcp`.
 * @module
 */
import { text, texts, toggle, type FlagTable } from "../arguments.ts";
import { action, example, type Command } from "../command.ts";

const MCP_FLAGS = {
  url: text("URL", "base address of the SCIM service, with everything before /Users", { required: true }),
  "token-file": text("FILE", "file with the token; default: the variable SCIM_TOKEN", { offers: "file" }),
  tenant: text("NAME", "tenant that tools may name; default: the one that the token names"),
  "read-only": toggle("leave out the tools that change something"),
  tools: text("NAMES", "these tools alone, separated by commas; * stands for any characters"),
  "hide-personal": toggle("hide personal values: ids, versions, references and flags are shown"),
  show: texts("PATH", "with --hide-personal: an attribute that is shown, such as title or Group:displayName"),
} satisfies FlagTable;

/** `scim mcp`. */
export const MCP: Command = {
  name: "mcp",
  does: "give an agent tools for a SCIM service, over standard input and output",
  actions: [
    action({
      name: "",
      does: "speak the Model Context Protocol over standard input and output, until the input ends",
      flags: MCP_FLAGS,
      settings: "none",
      json: "as it is",
      run: async ({ flags, environment }) =>
        (await import("../../commands/mcp.ts")).mcpCommand(flags, environment),
    }),
  ],
  examples: [
    example("SCIM_TOKEN=… scim mcp --url https://id.example/scim/v2", "what an agent is set up with"),
    example("scim mcp --url https://id.example/scim/v2 --token-file token --read-only --hide-personal"),
  ],
};
