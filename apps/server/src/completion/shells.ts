/**
 * The shells that completion is made for.
 * @module
 */
import type { Completions } from "./places.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

/** The script of each shell, from what is offered. */
export const SHELL_SCRIPTS: ReadonlyMap<string, (completions: Completions) => string> = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);
