/**
 * Reads the command line and runs the command that it names.
 * @module
 */
import { parseArgs } from "node:util";
import { config } from "./commands/config.ts";
import { help, version } from "./commands/help.ts";
import { CommandFailure, EXIT, type ExitCode } from "./failure.ts";
import { resolveSettings, type ResolvedSettings } from "./settings/resolve.ts";
import { flagOf } from "./settings/setting.ts";
import { SETTING_KEYS } from "./settings/table.ts";

/** The flags of settings: each takes a text. */
const SETTING_FLAGS = Object.fromEntries(
  ["config", ...SETTING_KEYS].map((key) => [flagOf(key).slice(2), { type: "string" as const }]),
);

const TOKEN_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  scope: { type: "string", multiple: true },
  subject: { type: "string" },
  expires: { type: "string" },
} as const;

const IMPORT_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  format: { type: "string" },
  type: { type: "string" },
  mapping: { type: "string" },
  encoding: { type: "string" },
  mode: { type: "string" },
  report: { type: "string" },
  "max-record": { type: "string" },
  "keep-ids": { type: "boolean" },
  "dry-run": { type: "boolean" },
  restart: { type: "boolean" },
} as const;

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
  switch (command) {
    case undefined:
    case "help":
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
    case "schema":
      return runSchema(args);
    case "import":
      return runImport(args, environment);
    default:
      throw new CommandFailure(
        EXIT.usage,
        `There is no command '${command}'; 'scim --help' lists the commands.`,
      );
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
  const { token } = await import("./commands/token.ts");
  return token(settings.values, positionals, values);
}

async function runImport(args: readonly string[], environment: Environment): Promise<ExitCode> {
  const { values, positionals } = parse(() =>
    parseArgs({
      args: [...args],
      options: { ...SETTING_FLAGS, ...COMMON_FLAGS, ...IMPORT_FLAGS },
      allowPositionals: true,
    }),
  );
  if (values.help === true) return help();
  const settings = resolveSettings({ flags: texts(values), environment });
  const { importCommand } = await import("./commands/import.ts");
  return importCommand(settings.values, positionals, values);
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
