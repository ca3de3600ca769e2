/**
 * `scim tenant`: makes, lists, changes, suspends and deletes tenants.
 * @module
 */
import {
  changeTenant,
  createTenant,
  deleteTenant,
  findTenant,
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
      if (displayName === undefined) throw nothingToChange();
      return changed({ displayName: displayName === "" ? null : displayName });
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

function nothingToChange(): CommandFailure {
  return new CommandFailure(
    EXIT.usage,
    "State what changes: --display-name TEXT; an empty one takes it away.",
  );
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
  const rows = tenants.map(({ tenant, displayName, state, created }) => [
    tenant,
    state,
    displayName ?? "-",
    created,
  ]);
  return columns([["tenant", "state", "display name", "created"], ...rows]);
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
