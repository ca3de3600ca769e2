/**
 * Reads the command line and runs the command that it names.
 * @module
 */
import { parseArgs } from "node:util";
import {
  AUDIT_FLAGS,
  CLIENT_FLAGS,
  CONNECTION_FLAGS,
  DOCTOR_FLAGS,
  ERASE_FLAGS,
  EXPORT_FLAGS,
  GUARD_FLAGS,
  IMPORT_FLAGS,
  INDEX_FLAGS,
  MIGRATE_FLAGS,
  PAGE_FLAGS,
  PROFILE_FLAGS,
  REQUEST_FLAGS,
  STREAM_FLAGS,
  TENANT_FLAGS,
  TOKEN_FLAGS,
  WEBHOOK_FLAGS,
} from "./command-flags.ts";
import { config } from "./commands/config.ts";
import { help, version } from "./commands/help.ts";
import { CommandFailure, EXIT, type ExitCode } from "./failure.ts";
import { resolveSettings, type ResolvedSettings } from "./settings/resolve.ts";
import { flagOf } from "./settings/setting.ts";
import { SETTING_KEYS, type Settings } from "./settings/table.ts";

/** The flags of settings: each takes a text. */
const SETTING_FLAGS = Object.fromEntries(
  ["config", ...SETTING_KEYS].map((key) => [flagOf(key).slice(2), { type: "string" as const }]),
);

const COMMON_FLAGS = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } } as const;

/**
 * Runs the command of an argument list. Resolves to the exit code.
 * @throws CommandFailure
 */
export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExitCode> {
  const [command, ...rest] = argv;
  // `npm start -- --port 9000` may bring its own separator along.
  const args = rest.filter((arg, at) => arg !== "--" || at > 0);
  if (args.includes("--help") || args.includes("-h")) return help(command);
  switch (command) {
    case "help":
      return help(args[0]);
    case undefined:
    case "--help":
    case "-h":
      return help();
    case "version":
    case "--version":
      return version();
    case "serve":
      return withSettings(args, environment, async (settings) => {
        // Loaded on demand: other commands need no server.
        const { serve } = await import("./commands/serve.ts");
        return serve(settings.values);
      });
    case "config":
      return withSettings(args, environment, async (settings) => config(settings));
    case "token":
      return runToken(args, environment);
    case "client":
      return withPositionals(args, { environment, flags: CLIENT_FLAGS }, async (...given) => {
        const { clientCommand } = await import("./commands/client.ts");
        return clientCommand(...given);
      });
    case "migrate":
      return runMigrate(args, environment);
    case "schema":
      return runSchema(args);
    default:
      return runOnData(command, args, environment);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

async function withSettings(
  args: readonly string[],
  environment: Environment,
  run: (settings: ResolvedSettings) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values } = parse(() =>
    parseArgs({ args: [...args], options: { ...SETTING_FLAGS, ...COMMON_FLAGS } }),
  );
  if (values.help === true) return help();
  return run(resolveSettings({ flags: texts(values), environment }));
}

async function runToken(args: readonly string[], environment: Environment): Promise<ExitCode> {
  // The setting `token` is no flag here: a token is what this command makes.
  const { values, positionals } = parse(() =>
    parseArgs({
      args: [...args],
      options: { ...SETTING_FLAGS, ...COMMON_FLAGS, ...TOKEN_FLAGS },
      allowPositionals: true,
    }),
  );
  if (values.help === true) return help();
  const settings = resolveSettings({ flags: texts(values), environment });
  const { tokenCommand } = await import("./commands/token.ts");
  return tokenCommand(settings.values, { positionals, environment }, values);
}

/** Runs a command that works on what the database holds. */
async function runOnData(
  command: string,
  args: readonly string[],
  environment: Environment,
): Promise<ExitCode> {
  const run = DATA_COMMANDS.get(command);
  if (run !== undefined) return run(args, environment);
  throw new CommandFailure(EXIT.usage, `There is no command '${command}'; 'scim --help' lists the commands.`);
}

/** Flags of a command, as `parseArgs` takes them. */
type FlagTable = Readonly<
  Record<string, { readonly type: "string" | "boolean"; readonly multiple?: boolean }>
>;

/** What was given for the flags of a table. */
type GivenFlags<Flags extends FlagTable> = {
  readonly [Name in keyof Flags]?: Flags[Name] extends { readonly multiple: true }
    ? readonly string[]
    : Flags[Name]["type"] extends "string"
      ? string
      : boolean;
};

async function withPositionals<Flags extends FlagTable>(
  args: readonly string[],
  { environment, flags }: { readonly environment: Environment; readonly flags: Flags },
  run: (settings: Settings, positionals: readonly string[], given: GivenFlags<Flags>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values, positionals } = parse(() =>
    parseArgs({
      args: [...args],
      options: { ...SETTING_FLAGS, ...COMMON_FLAGS, ...flags },
      allowPositionals: true,
    }),
  );
  if ("help" in values && values.help === true) return help();
  // A flag of the command that bears the name of a setting is not that setting.
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(flags, name));
  const settings = resolveSettings({ flags: texts(Object.fromEntries(others)), environment });
  return run(settings.values, positionals, values);
}

async function runMigrate(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const { values } = parse(() =>
    parseArgs({ args: [...args], options: { ...SETTING_FLAGS, ...COMMON_FLAGS, ...MIGRATE_FLAGS } }),
  );
  if (values.help === true) return help();
  const settings = resolveSettings({ flags: texts(values), environment });
  if (values.to !== undefined) {
    const { move } = await import("./commands/move.ts");
    return move(settings.values, values.to);
  }
  const { migrate } = await import("./commands/migrate.ts");
  return migrate(settings.values, values);
}

async function runSchema(args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parse(() =>
    parseArgs({ args: [...args], options: COMMON_FLAGS, allowPositionals: true }),
  );
  if (values.help === true) return help();
  const { schema } = await import("./commands/schema.ts");
  return schema(positionals);
}

function parse<Parsed>(read: () => Parsed): Parsed {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.usage,
      `${reason.replace(/\.$/, "")}. 'scim --help' lists the flags.`,
      cause,
    );
  }
}

function texts(values: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string") found[name] = value;
  }
  return found;
}

/** Runs a command with its arguments. */
type RunArguments = (args: readonly string[], environment: Environment) => Promise<ExitCode>;

/** What a command does with the settings, its arguments and its flags. */
type CommandOnData<Flags extends FlagTable> = (
  settings: Settings,
  positionals: readonly string[],
  given: GivenFlags<Flags>,
) => Promise<ExitCode>;

/** A command with flags of its own; it is loaded on demand. */
function onData<Flags extends FlagTable>(
  flags: Flags,
  load: () => Promise<CommandOnData<Flags>>,
): RunArguments {
  return (args, environment) =>
    withPositionals(args, { environment, flags }, async (...given) => (await load())(...given));
}

/** The commands that work on what the database holds, by name. */
const DATA_COMMANDS: ReadonlyMap<string, RunArguments> = new Map([
  ["import", onData(IMPORT_FLAGS, async () => (await import("./commands/import.ts")).importCommand)],
  ["export", onData(EXPORT_FLAGS, async () => (await import("./commands/export.ts")).exportCommand)],
  ["doctor", onData(DOCTOR_FLAGS, async () => (await import("./commands/doctor.ts")).doctorCommand)],
  ["audit", onData(AUDIT_FLAGS, async () => (await import("./commands/audit.ts")).auditCommand)],
  ["events", onData(PAGE_FLAGS, async () => (await import("./commands/events.ts")).eventsCommand)],
  ["case", onData(DOCTOR_FLAGS, async () => (await import("./commands/case.ts")).caseCommand)],
  ["profile", onData(PROFILE_FLAGS, async () => (await import("./commands/profile.ts")).profileCommand)],
  ["requests", onData(REQUEST_FLAGS, async () => (await import("./commands/requests.ts")).requestsCommand)],
  ["stream", onData(STREAM_FLAGS, async () => (await import("./commands/stream.ts")).stream)],
  ["webhook", onData(WEBHOOK_FLAGS, async () => (await import("./commands/webhook.ts")).webhook)],
  ["tenant", onData(TENANT_FLAGS, async () => (await import("./commands/tenant.ts")).tenantCommand)],
  [
    "connection",
    onData(CONNECTION_FLAGS, async () => (await import("./commands/connection.ts")).connectionCommand),
  ],
  ["erase", onData(ERASE_FLAGS, async () => (await import("./commands/erase.ts")).eraseCommand)],
  ["index", onData(INDEX_FLAGS, async () => (await import("./commands/indexes.ts")).indexCommand)],
  ["backup", onData({}, async () => (await import("./commands/backup.ts")).backupCommand)],
  ["guard", onData(GUARD_FLAGS, async () => (await import("./commands/guard.ts")).guardCommand)],
]);
