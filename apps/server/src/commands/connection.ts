/**
 * `scim connection`: makes, lists, changes, suspends and deletes connections.
 * @module
 */
import { PROFILES, type ProfileName, type RequestRate } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { type Connection, type ConnectionChange, findConnection } from "@scim/tenancy";
import { administer, administerWith, onServerOr, type ServerFlags } from "../administration/administer.ts";
import { type ConnectionAdministration, CONNECTIONS, switchesAt } from "../administration/connections.ts";
import { guardChangeOf, type GuardChangeFlags } from "../administration/guard-flags.ts";
import { type ShownSwitches, shownSwitches } from "../administration/shown-profiles.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { cell, listCell, print, tell } from "../output.ts";
import { readSwitches } from "../settings/forms.ts";
import { columns } from "../columns.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";

/** The flags of `scim connection`, as they were given. */
export interface ConnectionFlags extends GuardChangeFlags, ServerFlags {
  readonly tenant?: string;
  readonly profile?: string;
  readonly switches?: string;
  readonly rate?: string;
  readonly burst?: string;
  readonly json?: boolean;
}

/** Runs `scim connection <action>`. */
export async function connectionCommand(call: Call<ConnectionFlags>): Promise<ExitCode> {
  const [action = "list", connection = ""] = call.positionals;
  const run = actionOf(action, connection, call.flags);
  return administer({ ...call, command: `scim connection ${action}` }, CONNECTIONS, run);
}

/** Runs `scim connection switches`. */
export async function connectionSwitches(call: Call<ConnectionFlags>): Promise<ExitCode> {
  const { positionals, settings, flags } = call;
  const [, connection = ""] = positionals;
  const name = { tenant: flags.tenant ?? DEFAULT_TENANT, connection };
  return onServerOr(
    call,
    async (admin) => tellSwitches(await switchesAt(admin, name), flags),
    () =>
      administerWith(settings, async ({ store: { connections } }) => {
        const found = await findConnection({ connections }, name);
        return tellSwitches(shownSwitches(found, settings), flags);
      }),
  );
}

function tellSwitches(shown: ShownSwitches, flags: ConnectionFlags): ExitCode {
  const rows = shown.switches.map(({ name, on, by, does }) => [
    name,
    on ? "on" : "off",
    by === "profile" ? shown.profile : `the ${by}`,
    does,
  ]);
  return print(flags, shown, columns([["switch", "is", "by", "does"], ...rows]));
}

type Action = (connections: ConnectionAdministration) => Promise<ExitCode>;

function actionOf(action: string, connection: string, flags: ConnectionFlags): Action {
  const { tenant = DEFAULT_TENANT } = flags;
  const name = { tenant, connection };
  const changed =
    (change: ConnectionChange): Action =>
    async (connections) =>
      told(await connections.change(name, change), flags);
  switch (action) {
    case "create": {
      const of = changeOf(flags);
      return async (connections) => told(await connections.create(name, of), flags);
    }
    case "show":
      return async (connections) => told(await connections.find(name), flags);
    case "change": {
      const change = changeOf(flags);
      if (Object.keys(change).length > 0) return changed(change);
      throw new CommandFailure(
        EXIT.usage,
        "State what changes: --profile, --switches, --rate and --burst, --guard, --silent-after.",
      );
    }
    case "suspend":
      return changed({ state: "suspended" });
    case "resume":
      return changed({ state: "active" });
    case "delete":
      return async (connections) => {
        await connections.remove(name);
        return print(flags, name, `Connection '${connection}' is deleted with its tokens.`);
      };
    default:
      return async (connections) => {
        const all = await connections.list(tenant);
        return print(flags, { connections: all }, tableOf(all));
      };
  }
}

/** What takes a setting of a connection back to that of the server. */
const BACK = "default";

function changeOf(flags: ConnectionFlags): ConnectionChange {
  const { profile, switches, rate, burst } = flags;
  return {
    ...guardChangeOf(flags),
    ...(profile === undefined ? {} : { profile: profile === BACK ? null : profileOf(profile) }),
    ...(switches === undefined ? {} : { switches: switchesOf(switches) }),
    ...(rate === undefined && burst === undefined ? {} : { rate: rateOf(rate, burst) }),
  };
}

function profileOf(name: string): ProfileName {
  if (isProfile(name)) return name;
  throw new CommandFailure(
    EXIT.usage,
    `There is no profile '${name}'; there are ${Object.keys(PROFILES).join(", ")}, and ${BACK} for that of the server.`,
  );
}

function isProfile(name: string): name is ProfileName {
  return Object.hasOwn(PROFILES, name);
}

function switchesOf(text: string): Connection["switches"] {
  try {
    return text === "" ? [] : readSwitches(text);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `--switches ${cause.message}.`, cause);
  }
}

/** Seconds whose requests may come at once, where no burst is stated. */
const BURST_SECONDS = 4;

/** The bounds are those of connections. */
function rateOf(rate: string | undefined, burst: string | undefined): RequestRate | null {
  if (rate === BACK && burst === undefined) return null;
  const perSecond = Number(rate);
  if (rate === undefined || rate === "" || Number.isNaN(perSecond)) {
    throw new CommandFailure(
      EXIT.usage,
      `--rate must be requests per second, with --burst for those that may come at once; or ${BACK}.`,
    );
  }
  return {
    perSecond,
    burst: burst === undefined ? Math.max(1, Math.ceil(perSecond * BURST_SECONDS)) : Number(burst),
  };
}

function told(connection: JsonObject, flags: ConnectionFlags): ExitCode {
  const nobody = listCell(connection["namesOfNobody"], ", ");
  if (nobody !== "")
    tell(
      flags,
      `notice  --guard-named: nobody has the id or the userName, or another value that is unique, of ${nobody}. The guard lets them pass when they are there.`,
    );
  return print(flags, connection, tableOf([connection]));
}

function tableOf(connections: readonly JsonObject[]): string {
  const rows = connections.map(({ connection, state, profile, switches, rate, guard }) => [
    cell(connection),
    cell(state),
    cell(profile, BACK),
    listCell(switches, ",") || "-",
    isGiven(rate) ? `${cell(rate["perSecond"])}/s, ${cell(rate["burst"])} at once` : BACK,
    isGiven(guard) ? guardCell(guard) : BACK,
  ]);
  return columns([["connection", "state", "profile", "switches", "rate", "guard"], ...rows]);
}

/** `hold beyond 50 or 10 % in 60 min`; who is named by it is in the JSON alone. */
function guardCell({ mode, atLeast, percent, window }: JsonObject): string {
  if (mode === "off") return "off";
  return `${cell(mode)} beyond ${cell(atLeast)} or ${cell(percent)} % in ${cell(window)} min`;
}

function isGiven(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}
