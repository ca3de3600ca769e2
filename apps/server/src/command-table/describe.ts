/**
 * The table as data for programs: `scim --help --json`.
 * @module
 */
import type { Action, Command } from "./command.ts";

/** A command without what runs it. */
export type DescribedCommand = Omit<Command, "actions"> & {
  readonly actions: readonly Omit<Action, "start">[];
};

/** Commands without what runs them. */
export function describeCommands(commands: readonly Command[]): readonly DescribedCommand[] {
  return commands.map(({ name, does, actions, examples }) => ({
    name,
    does,
    actions: actions.map(({ start: _start, ...described }) => described),
    examples,
  }));
}
