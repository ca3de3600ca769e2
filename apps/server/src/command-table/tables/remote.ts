/**
 * The commands that speak to services of any make: `simulate`, `generate`, `mcp`.
 * @module
 */
import { text, texts, toggle, TOKEN_FILE, type FlagTable } from "../arguments.ts";
import { action, example, type Command } from "../command.ts";

const URL_OF_SERVICE = text("ADDRESS", "base address of a service: https://id.example/scim/v2");

const REMOTE = { "token-file": TOKEN_FILE } satisfies FlagTable;

/** `scim simulate`. */
export const SIMULATE: Command = {
  name: "simulate",
  does: "act as an identity provider against a SCIM service, and tell where it would fail",
  actions: [
    action({
      name: "",
      does: "act out a life cycle, delete what was made, and report; 1 where the identity provider would fail",
      operands: [
        {
          name: "WHO",
          does: "the identity provider",
          offers: ["entra", "okta", "onelogin", "jumpcloud", "google"],
        },
      ],
      flags: {
        target: { ...URL_OF_SERVICE, required: true },
        ...REMOTE,
        timeout: text("MS", "how long an answer may take, in milliseconds; default 30000"),
      },
      settings: "none",
      run: async ({ positionals, flags, environment }) =>
        (await import("../../commands/simulate.ts")).simulateCommand(positionals, flags, environment),
    }),
  ],
  examples: [
    example("scim simulate entra --target https://id.example/scim/v2", "with SCIM_TOKEN in the environment"),
    example("scim simulate okta --target https://id.example/scim/v2 --json | jq '.steps[].findings[]'"),
  ],
};

/** `scim generate`. */
export const GENERATE: Command = {
  name: "generate",
  does: "write TypeScript source of the schemas and resource types of a service",
  actions: [
    action({
      name: "",
      does: "write what a service says of itself as source for @scim/client",
      flags: {
        url: URL_OF_SERVICE,
        ...REMOTE,
        schemas: text("FOLDER", "read documents of a folder instead of a service", { offers: "file" }),
        out: text("FILE", "where to, in place of what is there; default standard output", { offers: "file" }),
      },
      settings: "none",
      run: async ({ flags, environment }) =>
        (await import("../../commands/generate.ts")).generateCommand(flags, environment),
    }),
  ],
  examples: [
    example("scim generate --url https://id.example/scim/v2 --out src/scim.ts"),
    example("scim generate --schemas ./schemas --out src/scim.ts", "before there is a server"),
  ],
};

const MCP_FLAGS = {
  url: { ...URL_OF_SERVICE, required: true },
  ...REMOTE,
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
