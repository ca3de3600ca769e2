/**
 * `scim doctor`: examines the installation and the references of its tenants, and tells what to do.
 * @module
 */
import type { Environment } from "../command-table/arguments.ts";
import type { Check } from "../doctor/check.ts";
import { type DerivedReport, findingText } from "../doctor/check-derived.ts";
import { checkReferences, type ListedFindings } from "../doctor/check-references.ts";
import { examine, type DerivedWork, type Examination, type TenantExamination } from "../doctor/examine.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { counted } from "../progress/progress.ts";
import type { RemoteFlags } from "../remote/remote-flags.ts";
import { remoteFindings } from "../remote/remote-findings.ts";
import { withClient } from "../remote/with-client.ts";
import { columns } from "../columns.ts";
import type { Settings } from "../settings/table.ts";
import { tenantFlag } from "./tenant-flag.ts";

/** The flags of `scim doctor`, as they were given. */
export interface DoctorFlags extends RemoteFlags {
  readonly url?: string;
  readonly tenant?: string;
  readonly pages?: boolean;
  readonly derived?: boolean;
  readonly repair?: boolean;
  readonly json?: boolean;
}

/** Findings of each list that a table shows. */
const SHOWN = 10;

/** Prints what was found. Resolves to a failure where something is wrong; warnings are none. */
export async function doctorCommand(
  settings: Settings,
  flags: DoctorFlags,
  environment: Environment,
): Promise<ExitCode> {
  const { url } = flags;
  const pages = flags.pages === true;
  if (pages && (url !== undefined || settings.databaseUrl.kind !== "sqlite"))
    throw new CommandFailure(EXIT.usage, PAGES_OF_SQLITE);
  const derived = derivedWork(flags);
  if (derived !== undefined && url !== undefined) throw new CommandFailure(EXIT.usage, DERIVED_OF_DATABASE);
  if (url !== undefined) return examineService(url, flags, environment);
  const tenant = tenantFlag(flags);
  if (pages) tell(flags, "Every page of the database file is read, which may take minutes; Ctrl+C ends it.");
  if (derived !== undefined) tell(flags, "Every resource is read, some 10,000 a second; Ctrl+C ends it.");
  const examined = { tenant, others: flags.tenant === undefined, pages, derived };
  const { others, ...own } = await examine(settings, examined, Date.now());
  const sound = [own.checks, ...others.map((each) => each.checks)].every(isSound);
  const tables = [tableOf(own), ...othersText(others)];
  print(flags, { tenant, sound, ...own, others }, tables.join("\n"));
  return sound ? EXIT.ok : EXIT.failed;
}

const PAGES_OF_SQLITE =
  "--pages reads the file of an SQLite database. PostgreSQL looks after its own: with data checksums (SHOW data_checksums), and by pg_amcheck.";

const DERIVED_OF_DATABASE =
  "--derived and --repair read the tables of a database: give --database-url, on a machine that reaches it, in the place of --url.";

function derivedWork({ derived, repair }: DoctorFlags): DerivedWork | undefined {
  if (repair === true) return "repair";
  return derived === true ? "check" : undefined;
}

function isSound(checks: readonly Check[]): boolean {
  return checks.every(({ outcome }) => outcome !== "wrong");
}

/** Of the other tenants, those where there is something to look at. */
function othersText(others: readonly TenantExamination[]): readonly string[] {
  const troubled = others.filter(({ checks }) => checks.some(({ outcome }) => outcome !== "ok"));
  const tables = troubled.flatMap(({ tenant, checks, ...found }) => [
    "",
    `Tenant ${tenant}`,
    tableOf({ ...found, checks: checks.filter(({ outcome }) => outcome !== "ok") }),
  ]);
  const rest = others.length - troubled.length;
  return rest === 0 ? tables : [...tables, "", `Nothing to look at in ${counted(rest, "further tenant")}.`];
}

/** Of a service that runs, the references alone can be looked at. */
async function examineService(url: string, flags: DoctorFlags, environment: Environment): Promise<ExitCode> {
  const findings = await withClient({ url, flags, environment }, (client) =>
    remoteFindings(client, flags.tenant),
  );
  const checks = [checkReferences(findings)];
  const tenant = flags.tenant ?? null;
  return print(
    flags,
    { url, tenant, sound: true, checks, findings },
    tableOf({ checks, findings, derived: null }),
  );
}

function tableOf({ checks, findings, derived }: Examination): string {
  const rows = checks.map(({ name, outcome, detail }) => [outcome, name, detail]);
  const remedies = checks.flatMap(({ name, remedy }) => (remedy === null ? [] : [`${name}: ${remedy}`]));
  return [
    columns(rows),
    ...(remedies.length === 0 ? [] : ["", "What to do", ...remedies.map((line) => `  ${line}`)]),
    ...findings.filter(({ count }) => count > 0).flatMap(listOf),
    ...(derived === null ? [] : derivedList(derived)),
  ].join("\n");
}

function listOf({ list, count, first }: ListedFindings): readonly string[] {
  const rows = first
    .slice(0, SHOWN)
    .map((found) =>
      "userId" in found
        ? [`  ${found.userId}`, found.issue]
        : [`  ${found.groupId}`, found.memberId, found.issue],
    );
  const more = count - rows.length;
  return ["", `${list} (${count})`, columns(rows), ...(more > 0 ? [`  and ${more} more`] : [])];
}

function derivedList({ counts, first }: DerivedReport): readonly string[] {
  const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
  if (count === 0) return [];
  const rows = first
    .slice(0, SHOWN)
    .map((found) => [`  ${found.type}`, "id" in found ? found.id : "-", findingText(found)]);
  const more = count - rows.length;
  return ["", `derived rows (${count})`, columns(rows), ...(more > 0 ? [`  and ${more} more`] : [])];
}
