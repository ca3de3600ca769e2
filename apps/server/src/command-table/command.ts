/**
 * Commands as data: from one table come the parsing, the help, the completion of shells and the page of documentation.
 * @module
 */
import { existsSync } from "node:fs";
import { ADMIN_TENANT, DEFAULT_NAME } from "@scim/tenancy";
import type { ExitCode } from "../failure.ts";
import { tell } from "../output.ts";
import {
  type DatabaseAddress,
  existingDatabase,
  IN_MEMORY,
  missingDatabase,
} from "../settings/database-address.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import type { Settings } from "../settings/table.ts";
import { WORKER_VARIABLE } from "../workers/messages.ts";
import {
  JSON_FLAG,
  type Environment,
  type FlagTable,
  type GivenFlags,
  type Operand,
  type TakenSettings,
} from "./arguments.ts";
import { readArguments } from "./read-arguments.ts";

/** What an action does with the command line. */
export interface Call<Given> {
  readonly settings: Settings;
  /** The settings with their origins. */
  readonly resolved: ResolvedSettings;
  /** The words of the action, such as `create`, and its operands behind them. */
  readonly positionals: readonly string[];
  readonly flags: Given;
  readonly environment: Environment;
  /** The whole table, for commands that tell of commands. */
  readonly commands: readonly Command[];
}

/** What `--json` prints: one document, a line for each thing, or what the command writes anyway. */
export type JsonForm = "document" | "lines" | "as it is";

/** An action as its table states it. */
export interface StatedAction<Flags extends FlagTable> {
  /** Its words behind the command, such as `secret add`; empty where the command is one action alone. */
  readonly name: string;
  /** One sentence without its end. */
  readonly does: string;
  readonly operands?: readonly Operand[];
  readonly flags?: Flags;
  readonly json?: JsonForm;
  readonly settings?: TakenSettings;
  /**
   * Whether it may begin a database, which it then tells; a trial run begins none, and is tried on one in memory. Default
   * false: one that is not there is refused, as it is where the flags name what no new database has.
   */
  readonly begins?: boolean;
  readonly run: (call: Call<GivenFlags<Flags & JsonFlags>>) => Promise<ExitCode>;
}

// No interface: that would be a table of any names.
type JsonFlags = Readonly<Record<"json", typeof JSON_FLAG>>;

/** The arguments of an action, once it is known which. */
export interface Arguments {
  /** Everything behind the command. */
  readonly args: readonly string[];
  /** What it is called by, such as `scim token create`. */
  readonly called: string;
  readonly environment: Environment;
  readonly commands: readonly Command[];
}

/** An action of a command. */
export interface Action {
  readonly name: string;
  readonly does: string;
  readonly operands: readonly Operand[];
  readonly flags: FlagTable;
  readonly json: JsonForm;
  readonly settings: TakenSettings;
  /**
   * Reads the arguments and runs.
   * @throws CommandFailure
   */
  readonly start: (given: Arguments) => Promise<ExitCode>;
}

/** A line to learn from. */
export interface Example {
  readonly line: string;
  /** What it is for; empty where it says so itself. */
  readonly does: string;
}

/** A command. */
export interface Command {
  readonly name: string;
  /** One sentence without its end. */
  readonly does: string;
  readonly actions: readonly [Action, ...Action[]];
  readonly examples: readonly Example[];
}

/** An action of a table. Every action takes `--json`. */
export function action<Flags extends FlagTable = JsonFlags>(stated: StatedAction<Flags>): Action {
  const { name, does, operands = [], json = "document", settings = "database", begins = false, run } = stated;
  // Without flags of its own, an action takes the common ones alone.
  const own = stated.flags ?? ({} as Flags);
  const flags: Flags & JsonFlags = { ...own, json: JSON_FLAG };
  const described = { name, does, operands, flags, json, settings };
  return {
    ...described,
    start: async ({ args, called, environment, commands }) => {
      const { resolved, positionals, given } = readArguments(
        { flags, settings, operands, words: name === "" ? 0 : name.split(" ").length },
        { args, called, environment },
      );
      // A database that a mistyped variable does not name is another one, and may be new. Workers were told by who made them.
      if (environment[WORKER_VARIABLE] === undefined)
        for (const sentence of resolved.mistyped) tell(given, sentence);
      const { databaseUrl, makes, notice } = databaseFor(resolved.values.databaseUrl, {
        mustExist: settings === "database" && !(begins && isMadeInNew(given)),
        mayBegin: begins,
        isTrial: isTrial(given),
      });
      if (notice !== null) tell(given, notice);
      const values = { ...resolved.values, databaseUrl };
      const call = { settings: values, resolved, positionals, flags: given, environment, commands };
      try {
        return await run(call);
      } finally {
        // Also where the command is refused by what the database would have to hold.
        if (makes !== null && existsSync(makes)) tell(given, `A new database was made: ${makes}.`);
      }
    },
  };
}

/** The database that a command is run on. */
interface RunDatabase {
  readonly databaseUrl: DatabaseAddress;
  /** Path of the file that it makes; null where none is made. */
  readonly makes: string | null;
  readonly notice: string | null;
}

interface DatabaseWishes {
  readonly mustExist: boolean;
  readonly mayBegin: boolean;
  /** Whether nothing is to be written. */
  readonly isTrial: boolean;
}

function databaseFor(named: DatabaseAddress, wishes: DatabaseWishes): RunDatabase {
  if (wishes.mustExist) return { databaseUrl: existingDatabase(named), makes: null, notice: null };
  const makes = wishes.mayBegin ? missingDatabase(named) : null;
  if (makes === null || !wishes.isTrial) return { databaseUrl: named, makes, notice: null };
  const notice = `There is no database at ${makes}: what would come of it is tried on an empty one.`;
  return { databaseUrl: IN_MEMORY, makes: null, notice };
}

/** Whether nothing is to be written. */
function isTrial(flags: Readonly<Record<string, unknown>>): boolean {
  return flags["dry-run"] === true;
}

/** Whether a new database is of use: not to what is about a tenant or a connection that no new database has. */
function isMadeInNew(flags: Readonly<Record<string, unknown>>): boolean {
  const { tenant = DEFAULT_NAME, connection = DEFAULT_NAME } = flags;
  const isThere = tenant === DEFAULT_NAME || tenant === ADMIN_TENANT;
  return isThere && connection === DEFAULT_NAME;
}

/** An example, with what it is for. */
export function example(line: string, does = ""): Example {
  return { line, does };
}
