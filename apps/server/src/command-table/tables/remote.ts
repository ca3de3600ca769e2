/**
 * The commands that speak to services of any make: `generate`.
 * @module
 */
import { text, type FlagTable } from "../arguments.ts";
import { action, example, type Command } from "../command.ts";

const URL_OF_SERVICE = text("ADDRESS", "base address of a service: https://id.example/scim/v2");

const REMOTE = {
  "token-file": text("FILE", "holds the token; default the variable SCIM_TOKEN", { offers: "file" }),
} satisfies FlagTable;

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
