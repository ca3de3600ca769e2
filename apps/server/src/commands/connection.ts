/**
 * `scim connection`: makes, lists, changes, suspends and deletes connections.
 * @module
 */
import { PROFILES, type ProfileName, type RequestRate } from "@scim/core";
import {
  changeConnection,
  createConnection,
  deleteConnection,
  findConnection,
  findTenant,
  writeSwitchFlips,
  type Connection,
  type ConnectionChange,
  type TenancyPorts,
} from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { guardChangeOf, type GuardChangeFlags } from "../administration/guard-flags.ts";
import { shownConnection } from "../administration/shown.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { readSwitches } from "../settings/forms.ts";
import { columns } from "../settings/show.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";

/** The flags of `scim connection`, as they were given. */
export interface ConnectionFlags extends GuardChangeFlags {
  readonly tenant?: string;
  readonly profile?: string;
  readonly switches?: string;
  readonly rate?: string;
  readonly burst?: string;
  readonly json?: boolean;
}

/** Runs `scim connection <action>`. */
export async function connectionCommand(
  settings: Settings,
  [action = "list", connection = ""]: readonly string[],
  flags: ConnectionFlags,
): Promise<ExitCode> {
  return administer(settings, `scim connection ${action}`, actionOf(action, connection, flags));
}

type Action = (ports: TenancyPorts) => Promise<ExitCode>;

function actionOf(action: string, connection: string, flags: ConnectionFlags): Action {
  const { tenant = DEFAULT_TENANT } = flags;
  const json = flags.json === true;
  const target = { tenant, connection, expected: null };
  const changed =
    (change: ConnectionChange): Action =>
    async (ports) =>
      tell(await changeConnection(ports, target, change), json);
  switch (action) {
    case "create": {
      const of = changeOf(flags);
      return async (ports) => tell(await createConnection(ports, target, of), json);
    }
    case "show":
      return async (ports) => tell(await findConnection(ports, target), json);
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
      return async (ports) => {
        await deleteConnection(ports, target);
        return print(
          { json },
          { tenant, connection },
          `Connection '${connection}' is deleted with its tokens.`,
        );
      };
    default:
      return (ports) => list(ports, tenant, json);
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

async function list(ports: TenancyPorts, name: string, json: boolean): Promise<ExitCode> {
  const { tenant } = await findTenant(ports, name);
  const all = await ports.connections.list(tenant);
  return print({ json }, { connections: all.map(shownConnection) }, tableOf(all));
}

function tell(connection: Connection, json: boolean): ExitCode {
  return print({ json }, shownConnection(connection), tableOf([connection]));
}

function tableOf(connections: readonly Connection[]): string {
  const rows = connections.map(({ connection, state, profile, switches, rate, guard }) => [
    connection,
    state,
    profile ?? BACK,
    writeSwitchFlips(switches).join(",") || "-",
    rate === null ? BACK : `${rate.perSecond}/s, ${rate.burst} at once`,
    guard?.mode ?? BACK,
  ]);
  return columns([["connection", "state", "profile", "switches", "rate", "guard"], ...rows]);
}
