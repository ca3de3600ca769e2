/**
 * `scim tenant`: makes, lists, changes, suspends and deletes tenants.
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import {
  DISCOVERIES,
  RETENTION_KINDS,
  SECRET_HANDLINGS,
  TENANT_LIMIT_NAMES,
  type TenantChange,
} from "@scim/tenancy";
import { administer, type ServerFlags } from "../administration/administer.ts";
import { type TenantAdministration, TENANTS } from "../administration/tenants.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { cell, print } from "../output.ts";
import { counted, startProgress } from "../progress/progress.ts";
import { columns } from "../columns.ts";
import { wordFlag } from "../value-flags.ts";

/** The flags of `scim tenant`, as they were given. */
export interface TenantFlags extends ServerFlags {
  readonly "display-name"?: string;
  readonly limit?: readonly string[];
  readonly keep?: readonly string[];
  readonly discovery?: string;
  readonly secrets?: string;
  readonly exported?: boolean;
  readonly json?: boolean;
}

/** Runs `scim tenant <action>`. */
export async function tenantCommand(call: Call<TenantFlags>): Promise<ExitCode> {
  const [action = "list", name = ""] = call.positionals;
  const run = actionOf(action, name, call.flags);
  return administer({ ...call, command: `scim tenant ${action}` }, TENANTS, run);
}

type Action = (tenants: TenantAdministration) => Promise<ExitCode>;

function actionOf(action: string, name: string, flags: TenantFlags): Action {
  const displayName = flags["display-name"];
  const changed =
    (change: TenantChange): Action =>
    async (tenants) =>
      tell(await tenants.change(name, change), flags);
  switch (action) {
    case "create":
      return async (tenants) =>
        tell(await tenants.create({ tenant: name, displayName: displayName ?? null }), flags);
    case "show":
      return async (tenants) => tell(await tenants.find(name), flags);
    case "change":
      return changed(changeOf(flags));
    case "suspend":
      return changed({ state: "suspended" });
    case "resume":
      return changed({ state: "active" });
    case "delete":
      return (tenants) => remove(tenants, name, flags);
    default:
      return async (tenants) => {
        const all = await tenants.list();
        return print(flags, { tenants: all }, tableOf(all));
      };
  }
}

function changeOf(flags: TenantFlags): TenantChange {
  const { "display-name": displayName, limit, keep, discovery, secrets } = flags;
  if ([displayName, limit, keep, discovery, secrets].every((given) => given === undefined)) {
    throw new CommandFailure(
      EXIT.usage,
      "State what changes: --display-name TEXT, where an empty one takes it away; --limit NAME=N; --keep KIND=DAYS; --discovery token or open; --secrets drop or hash.",
    );
  }
  return {
    ...(displayName === undefined ? {} : { displayName: displayName === "" ? null : displayName }),
    limits: numbersOf("limit", TENANT_LIMIT_NAMES, limit),
    retention: numbersOf("keep", RETENTION_KINDS, keep),
    ...(discovery === undefined ? {} : { discovery: wordFlag("discovery", discovery, DISCOVERIES) }),
    ...(secrets === undefined ? {} : { secrets: wordFlag("secrets", secrets, SECRET_HANDLINGS) }),
  };
}

/** What takes a number of a tenant back to that of the server. */
const BACK = "default";

/** `NAME=NUMBER` or `NAME=default`, as often as given. The bounds are those of tenants. */
function numbersOf<Name extends string>(
  flag: string,
  names: readonly Name[],
  given: readonly string[] = [],
): Readonly<Partial<Record<Name, number | null>>> {
  const found: Partial<Record<Name, number | null>> = {};
  for (const text of given) {
    const [key, value = "", ...more] = text.split("=");
    const name = names.find((each) => each === key);
    const number = value === BACK ? null : Number(value.trim() === "" ? Number.NaN : value);
    if (name === undefined || more.length > 0 || Number.isNaN(number)) {
      throw new CommandFailure(
        EXIT.usage,
        `--${flag} must be NAME=NUMBER or NAME=${BACK}; the names are ${names.join(", ")}.`,
      );
    }
    found[name] = number;
  }
  return found;
}

function tell(tenant: JsonObject, flags: TenantFlags): ExitCode {
  return print(flags, tenant, tableOf([tenant]));
}

function tableOf(tenants: readonly JsonObject[]): string {
  const rows = tenants.map(
    ({ tenant, displayName, state, limits, retention, discovery, secrets, created }) => [
      cell(tenant),
      cell(state),
      cell(displayName),
      ownNumbers(limits),
      ownNumbers(retention),
      cell(discovery),
      cell(secrets),
      cell(created),
    ],
  );
  return columns([
    ["tenant", "state", "display name", "limits", "days kept", "discovery", "secrets", "created"],
    ...rows,
  ]);
}

/** Numbers by name; a dash where all are as the server has them. */
function ownNumbers(numbers: JsonValue | undefined): string {
  const entries = numbers !== undefined && isJsonObject(numbers) ? Object.entries(numbers) : [];
  const texts = entries.map(([name, value]) => `${name}=${cell(value)}`);
  return texts.length === 0 ? "-" : texts.join(" ");
}

async function remove(tenants: TenantAdministration, tenant: string, flags: TenantFlags): Promise<ExitCode> {
  const progress = startProgress("rows");
  try {
    const removed = await tenants.remove({
      tenant,
      exported: flags.exported === true,
      onProgress: (rows) => progress.show({ done: rows, part: null, note: "" }),
    });
    progress.end();
    const told = `Tenant '${tenant}' is deleted with ${counted(removed, "row")}. Its name is not given again.`;
    return print(flags, { tenant, removed }, told);
  } catch (error) {
    progress.end();
    throw error;
  }
}
