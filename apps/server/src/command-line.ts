/**
 * Reads the command line and runs the command that it names.
 * @module
 */
import type { Environment } from "./command-table/arguments.ts";
import { findAction, findCommand, usesOf } from "./command-table/find.ts";
import { wrongUsage } from "./command-table/read-arguments.ts";
import { COMMANDS } from "./command-table/table.ts";
import { help, version } from "./commands/help.ts";
import { CommandFailure, exitCodeOf, type ExitCode } from "./failure.ts";

/**
 * Runs the command of an argument list. Resolves to the exit code.
 * @throws CommandFailure
 */
export async function runCommand(argv: readonly string[], environment: Environment): Promise<ExitCode> {
  const [name, ...rest] = argv;
  const args = withoutSeparator(name, rest);
  switch (name) {
    case undefined:
    case "help":
    case "--help":
    case "-h":
      return help(args);
    case "version":
    case "--version":
      return version(args);
    default:
  }
  if (asksForHelp(args)) return help([name, ...args]);
  const command = findCommand(COMMANDS, name);
  const action = findAction(command, args);
  if (action === null) throw wrongUsage(usesOf(command), `scim ${name}`);
  const called = action.name === "" ? `scim ${name}` : `scim ${name} ${action.name}`;
  try {
    return await action.start({ args, called, environment, commands: COMMANDS });
  } catch (error) {
    throw await refusalOf(error);
  }
}

/**
 * `npm start -- --port 9000` may bring its own separator along: no file is named behind it, since the server takes none. Of
 * commands that take one, it says that what follows is no flag, such as `-people.csv`.
 */
function withoutSeparator(name: string | undefined, args: readonly string[]): readonly string[] {
  const command = COMMANDS.find((each) => each.name === name);
  const takesOperands = command?.actions.some(({ operands }) => operands.length > 0) === true;
  return takesOperands || args[0] !== "--" ? args : args.slice(1);
}

/** What the service refuses is told in its words: a flag is wrong; the database is full, locked, or away. */
async function refusalOf(error: unknown): Promise<unknown> {
  if (error instanceof CommandFailure) return error;
  // Loaded on demand: what prints help needs no schemas.
  const { isScimError } = await import("@scim/schemas");
  const { tenancyProblem } = await import("./admin/tenancy-problem.ts");
  const refusal = tenancyProblem(error);
  return isScimError(refusal)
    ? new CommandFailure(exitCodeOf(refusal.status), refusal.message, error)
    : error;
}

/** Behind `--` nothing is a flag. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? args.length : end).some((arg) => arg === "--help" || arg === "-h");
}
