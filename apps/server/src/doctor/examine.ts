/**
 * Examines an installation: the checks that need no database, then the database, then what it holds.
 * @module
 */
import { existsSync } from "node:fs";
import { CommandFailure } from "../failure.ts";
import { openOperator, type Operator } from "../operator/operator.ts";
import type { Settings } from "../settings/table.ts";
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
    const setting = { store: opened.store, tenant, now };
    const findings = await listFindings(opened.service, opened.context);
    const checks = [
      fine("database", "it answers, its schema is current, and its migrations are those of this program"),
      await checkWrites(setting),
      ...around,
      await checkKeys(settings, opened.store, tenant),
      await checkTokens(setting),
      await checkAdministrators(setting),
      await checkClock(setting),
      await checkPositions(setting),
      await checkIndexes(setting),
      await checkConnectionRules({ settings, ...setting }),
      checkReferences(findings),
    ];
    return { checks, findings };
  } finally {
    await opened.close();
  }
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
