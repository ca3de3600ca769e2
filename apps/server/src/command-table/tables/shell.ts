/**
 * The command that teaches shells: `completion`.
 * @module
 */
import { action, example, type Command } from "../command.ts";

/** `scim completion`. */
export const COMPLETION: Command = {
  name: "completion",
  does: "let a shell complete commands, flags and their values",
  actions: [
    action({
      name: "",
      does: "print the script of a shell",
      operands: [{ name: "SHELL", does: "the shell", offers: ["bash", "zsh", "fish"] }],
      settings: "none",
      run: async ({ positionals: [shell = ""], commands, flags }) =>
        (await import("../../commands/completion.ts")).completion(shell, commands, flags),
    }),
  ],
  examples: [
    example("source <(scim completion bash)", "in ~/.bashrc; for zsh in ~/.zshrc, behind compinit"),
    example("scim completion fish > ~/.config/fish/completions/scim.fish"),
  ],
};
