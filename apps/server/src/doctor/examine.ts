/**
 * Examines an installation: the checks that need no database, then the database, then what it holds.
 * @module
 */
import { isScimError } from "@scim/schemas";
import { CommandFailure } from "../failure.ts";
import { createIssuerReader } from "../oauth/create-oauth.ts";
import { openOperatorDatabase, type Operator, type OperatorDatabase } from "../operator/operator.ts";
import { missingDatabase } from "../settings/database-address.ts";
import type { Settings } from "../settings/table.ts";
import { eachTenant } from "../store/each-tenant.ts";
import { checkAdministrators } from "./check-administrators.ts";
import { checkConnectionRules } from "./check-connection-rules.ts";
import { type Check, fine, wrong } from "./check.ts";
import { checkClock, checkIndexes, checkPositions, checkWrites } from "./check-database.ts";
import { checkKeys } from "./check-keys.ts";
import { checkAddress, checkDisk, checkModes } from "./check-machine.ts";
import { checkPages } from "./check-pages.ts";
import { checkTokens } from "./check-tokens.ts";
import { checkDerived, type DerivedReport, derivedReport } from "./check-derived.ts";
import { checkReferences, type ListedFindings, listFindings } from "./check-references.ts";

/** What was found. */
export interface Examination {
  readonly checks: readonly Check[];
  /** Empty where the database cannot be read. */
  readonly findings: readonly ListedFindings[];
  /** Null where derived rows were not looked at. */
  readonly derived: DerivedReport | null;
}

/** What was found of one tenant. */
export interface TenantExamination extends Examination {
  readonly tenant: string;
}

/** Which tenants are examined. */
export interface ExaminedTenants {
  readonly tenant: string;
  /** Whether each other one is, too, that is not deleted. Default: none is. */
  readonly others?: boolean;
  /** Whether every page of an SQLite file is read, too. Default: it is not. */
  readonly pages?: boolean;
  /** Whether derived rows are compared with resources, too, or made right. Default: neither. */
  readonly derived?: DerivedWork | undefined;
}

/** What becomes of derived rows. */
export type DerivedWork = "check" | "repair";

/**
 * Examines an installation, and what belongs to tenants, one after the other. Nothing that it does stays, but derived rows that
 * are to be made right.
 */
export async function examine(
  settings: Settings,
  { tenant, others = false, pages = false, derived }: ExaminedTenants,
  now: number,
): Promise<Examination & { readonly others: readonly TenantExamination[] }> {
  const read = pages ? checkPages(settings) : null;
  const around = [
    ...(read === null ? [] : [read]),
    checkAddress(settings),
    checkModes(settings),
    checkDisk(settings),
  ];
  const database = await open(settings);
  if ("outcome" in database) return { ...UNREAD, checks: [database, ...around], others: [] };
  const examining: Examining = { settings, database, now, derived };
  try {
    const found = await orCheck(() => examineDatabase(examining, { tenant, others, around }));
    return "outcome" in found ? { ...UNREAD, checks: [found, ...around], others: [] } : found;
  } finally {
    await database.close();
  }
}

/** What is found of a database that can be opened, and of the tenants. */
async function examineDatabase(
  examining: Examining,
  {
    tenant,
    others,
    around,
  }: Required<Pick<ExaminedTenants, "tenant" | "others">> & { readonly around: readonly Check[] },
): Promise<Examination & { readonly others: readonly TenantExamination[] }> {
  const { settings, database, now } = examining;
  const operator = await operatorOf(database, tenant);
  const rest = others ? await examineOthers(examining, tenant) : [];
  if ("outcome" in operator) return { ...UNREAD, checks: [operator, ...around], others: rest };
  const setting = { store: database.store, now };
  const installation = [
    fine(DATABASE, "it answers, its schema is current, and its migrations are those of this program"),
    await checkWrites(setting),
    ...around,
    await checkAdministrators({ ...setting, readKeys: createIssuerReader(settings) }),
    await checkPositions(setting),
  ];
  const { checks, ...found } = await examineTenant(examining, operator, { shared: true });
  return { checks: [...installation, ...checks], ...found, others: rest };
}

/** What is found of what cannot be read. */
const UNREAD: Pick<Examination, "findings" | "derived"> = { findings: [], derived: null };

/** An examination under way. */
interface Examining extends Pick<ExaminedTenants, "derived"> {
  readonly settings: Settings;
  readonly database: OperatorDatabase;
  readonly now: number;
}

async function examineOthers(examining: Examining, examined: string): Promise<readonly TenantExamination[]> {
  const { database } = examining;
  const others: TenantExamination[] = [];
  for await (const tenant of eachTenant(database.store)) {
    if (tenant === examined || (await database.store.tenants.find(tenant))?.state === "deleted") continue;
    const operator = await operatorOf(database, tenant);
    const found =
      "outcome" in operator
        ? { ...UNREAD, checks: [operator] }
        : await examineTenant(examining, operator, { shared: false });
    others.push({ tenant, ...found });
  }
  return others;
}

/** Examines what belongs to a tenant; with the first, what administrators and the service share with it. */
async function examineTenant(
  { settings, now, derived: work }: Examining,
  { store, service, context, catalog }: Operator,
  { shared }: { readonly shared: boolean },
): Promise<Examination> {
  const { tenant } = context;
  const setting = { store, tenant, shared, now };
  const findings = await listFindings(service, context);
  const derived =
    work === undefined ? null : await derivedReport({ store, catalog, tenant, repair: work === "repair" });
  const checks = [
    await checkKeys(settings, setting),
    await checkTokens(setting),
    await checkClock(setting),
    await checkIndexes(setting),
    await checkConnectionRules({ settings, ...setting }),
    checkReferences(findings),
    ...(derived === null ? [] : [checkDerived(derived)]),
  ];
  return { checks, findings, derived };
}

const DATABASE = "database";

/** Opens the database as it is: a file that is not there is not made, and a schema is not brought up to date. */
async function open(settings: Settings): Promise<OperatorDatabase | Check> {
  const missing = missingDatabase(settings.databaseUrl);
  if (missing !== null) {
    return wrong(
      DATABASE,
      `there is none at ${missing}`,
      "The first 'scim serve' makes it; or give --database-url.",
    );
  }
  return orCheck(() => openOperatorDatabase({ ...settings, migrations: "manual" }));
}

function operatorOf(database: OperatorDatabase, tenant: string): Promise<Operator | Check> {
  return orCheck(() => database.of({ tenant, command: "scim doctor" }));
}

/** What cannot be used is a finding. */
async function orCheck<Result>(use: () => Promise<Result>): Promise<Result | Check> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof CommandFailure || (isScimError(error) && error.code === "unavailable")))
      throw error;
    return wrong(
      DATABASE,
      error.message,
      "See what it says; 'scim migrate --plan' tells of pending migrations.",
    );
  }
}
