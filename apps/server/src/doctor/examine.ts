/**
 * Examines an installation: the checks that need no database, then the database, then what it holds.
 * @module
 */
import { existsSync } from "node:fs";
import { CommandFailure } from "../failure.ts";
import { openOperator, type Operator } from "../operator/operator.ts";
import type { Settings } from "../settings/table.ts";
import { eachTenant } from "../store/each-tenant.ts";
import { checkAdministrators } from "./check-administrators.ts";
import { checkConnectionRules } from "./check-connection-rules.ts";
import { type Check, fine, wrong } from "./check.ts";
import { checkClock, checkIndexes, checkPositions, checkWrites } from "./check-database.ts";
import { checkKeys } from "./check-keys.ts";
import { checkAddress, checkDisk, checkModes } from "./check-machine.ts";
import { checkTokens } from "./check-tokens.ts";
import { checkReferences, type ListedFindings, listFindings } from "./check-references.ts";

/** What was found. */
export interface Examination {
  readonly checks: readonly Check[];
  /** Empty where the database cannot be read. */
  readonly findings: readonly ListedFindings[];
}

/** Examines an installation for a tenant. Nothing that it does stays. */
export async function examine(settings: Settings, tenant: string, now: number): Promise<Examination> {
  const around = [checkAddress(settings), checkModes(settings), checkDisk(settings)];
  const opened = await open(settings, tenant);
  if ("outcome" in opened) return { checks: [opened, ...around], findings: [] };
  try {
    const setting = { store: opened.store, now };
    const installation = [
      fine("database", "it answers, its schema is current, and its migrations are those of this program"),
      await checkWrites(setting),
      ...around,
      await checkAdministrators(setting),
      await checkPositions(setting),
    ];
    const { checks, findings } = await examineOpened(settings, opened, now);
    return { checks: [...installation, ...checks], findings };
  } finally {
    await opened.close();
  }
}

/** What was found of one tenant. */
export interface TenantExamination extends Examination {
  readonly tenant: string;
}

/** Examines what belongs to each tenant, one after the other, but for one that was examined. */
export async function examineOthers(
  settings: Settings,
  examined: string,
  now: number,
): Promise<readonly TenantExamination[]> {
  const others: TenantExamination[] = [];
  for (const tenant of await servedTenants(settings, examined)) {
    if (tenant === examined) continue;
    const opened = await open(settings, tenant);
    if ("outcome" in opened) {
      others.push({ tenant, checks: [opened], findings: [] });
      continue;
    }
    try {
      others.push({ tenant, ...(await examineOpened(settings, opened, now)) });
    } finally {
      await opened.close();
    }
  }
  return others;
}

/** The names of all tenants that are not deleted; none where the database cannot be read, which is told already. */
async function servedTenants(settings: Settings, examined: string): Promise<readonly string[]> {
  const opened = await open(settings, examined);
  if ("outcome" in opened) return [];
  try {
    const { tenants } = opened.store;
    const names: string[] = [];
    for await (const name of eachTenant(opened.store))
      if ((await tenants.find(name))?.state !== "deleted") names.push(name);
    return names;
  } finally {
    await opened.close();
  }
}

/** Examines what belongs to a tenant alone. */
async function examineOpened(
  settings: Settings,
  { store, service, context }: Operator,
  now: number,
): Promise<Examination> {
  const { tenant } = context;
  const setting = { store, tenant, now };
  const findings = await listFindings(service, context);
  const checks = [
    await checkKeys(settings, store, tenant),
    await checkTokens(setting),
    await checkClock(setting),
    await checkIndexes(setting),
    await checkConnectionRules({ settings, ...setting }),
    checkReferences(findings),
  ];
  return { checks, findings };
}

/** Opens the database as it is: a file that is not there is not made, and a schema is not brought up to date. */
async function open(settings: Settings, tenant: string): Promise<Operator | Check> {
  const { databaseUrl } = settings;
  const name = "database";
  if (databaseUrl.kind === "sqlite" && databaseUrl.path !== ":memory:" && !existsSync(databaseUrl.path)) {
    return wrong(
      name,
      `there is none at ${databaseUrl.path}`,
      "The first 'scim serve' makes it; or give --database-url.",
    );
  }
  try {
    return await openOperator({ ...settings, migrations: "manual" }, { tenant, command: "scim doctor" });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return wrong(name, error.message, "See what it says; 'scim migrate --plan' tells of pending migrations.");
  }
}
