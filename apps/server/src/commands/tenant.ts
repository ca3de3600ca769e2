/**
 * `scim tenant`: makes, lists, changes, suspends and deletes tenants.
 * @module
 */
import {
  changeTenant,
  createTenant,
  deleteTenant,
  findTenant,
  RETENTION_KINDS,
  TENANT_LIMIT_NAMES,
  type Tenant,
  type TenantChange,
  type TenancyPorts,
} from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { REMOVED_AT_ONCE, tenantSettled } from "../administration/deletion.ts";
import { shownTenant } from "../administration/shown.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print } from "../output.ts";
import { grouped, startProgress } from "../progress/progress.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";

/** The flags of `scim tenant`, as they were given. */
export interface TenantFlags {
  readonly "display-name"?: string;
  readonly limit?: readonly string[];
  readonly keep?: readonly string[];
  readonly exported?: boolean;
  readonly json?: boolean;
}

/** Runs `scim tenant <action>`. */
export async function tenantCommand(
  settings: Settings,
  [action = "list", name = ""]: readonly string[],
  flags: TenantFlags,
): Promise<ExitCode> {
  return administer(settings, `scim tenant ${action}`, actionOf(action, name, flags));
}

type Action = (ports: TenancyPorts) => Promise<ExitCode>;

function actionOf(action: string, name: string, flags: TenantFlags): Action {
  const json = flags.json === true;
  const displayName = flags["display-name"];
  const changed =
    (change: TenantChange): Action =>
    async (ports) =>
      tell(await changeTenant(ports, { tenant: name, expected: null }, change), json);
  switch (action) {
    case "create":
      return async (ports) =>
        tell(await createTenant(ports, { tenant: name, displayName: displayName ?? null }), json);
    case "show":
      return async (ports) => tell(await findTenant(ports, name), json);
    case "change":
      return changed(changeOf(flags));
    case "suspend":
      return changed({ state: "suspended" });
    case "resume":
      return changed({ state: "active" });
    case "delete":
      return (ports) => remove(ports, name, flags);
    default:
      return (ports) => list(ports, json);
  }
}

function changeOf({ "display-name": displayName, limit, keep }: TenantFlags): TenantChange {
  if (displayName === undefined && limit === undefined && keep === undefined) {
    throw new CommandFailure(
      EXIT.usage,
      "State what changes: --display-name TEXT, where an empty one takes it away; --limit NAME=N; --keep KIND=DAYS.",
    );
  }
  return {
    ...(displayName === undefined ? {} : { displayName: displayName === "" ? null : displayName }),
    limits: numbersOf("limit", TENANT_LIMIT_NAMES, limit),
    retention: numbersOf("keep", RETENTION_KINDS, keep),
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
    const number = value === BACK ? null : Number(value === "" ? Number.NaN : value);
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

/** Tenants that are read at once. */
const PAGE = 500;

async function list({ tenants }: TenancyPorts, json: boolean): Promise<ExitCode> {
  const all: Tenant[] = [];
  for (;;) {
    const page = await tenants.list({ after: all.at(-1)?.tenant ?? null, count: PAGE });
    all.push(...page);
    if (page.length < PAGE) break;
  }
  return print({ json }, { tenants: all.map(shownTenant) }, tableOf(all));
}

function tell(tenant: Tenant, json: boolean): ExitCode {
  return print({ json }, shownTenant(tenant), tableOf([tenant]));
}

function tableOf(tenants: readonly Tenant[]): string {
  const rows = tenants.map(({ tenant, displayName, state, limits, retention, created }) => [
    tenant,
    state,
    displayName ?? "-",
    ownNumbers(limits),
    ownNumbers(retention),
    created,
  ]);
  return columns([["tenant", "state", "display name", "limits", "days kept", "created"], ...rows]);
}

/** Numbers by name; a dash where all are as the server has them. */
function ownNumbers(numbers: Readonly<Record<string, number>>): string {
  const texts = Object.entries(numbers).map(([name, value]) => `${name}=${value}`);
  return texts.length === 0 ? "-" : texts.join(" ");
}

async function remove(ports: TenancyPorts, tenant: string, flags: TenantFlags): Promise<ExitCode> {
  const progress = startProgress("rows");
  try {
    const removed = await deleteTenant(ports, {
      tenant,
      expected: null,
      exported: flags.exported === true,
      batch: REMOVED_AT_ONCE,
      settled: tenantSettled,
      onProgress: (rows) => progress.show({ done: rows, part: null, note: "" }),
    });
    progress.end();
    const told = `Tenant '${tenant}' is deleted with ${grouped(removed)} rows. Its name is not given again.`;
    return print(flags, { tenant, removed }, told);
  } catch (error) {
    progress.end();
    throw error;
  }
}
