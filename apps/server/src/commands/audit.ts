/**
 * `scim audit`: shows the audit log of a tenant, verifies its chain, and writes it to a file.
 * @module
 */
import { AUDIT_FILTERS, type AskedAudit, type AuditReport, readAuditFilters } from "@scim/events";
import { onServerOr, type ServerFlags } from "../administration/administer.ts";
import { auditAtServer, auditHere, type AuditListing, type AuditReading } from "../audit/audit-reading.ts";
import { exportedLines } from "../audit/exported-lines.ts";
import { tellOfWaitingEvents } from "../audit/waiting-events.ts";
import { isUnreadable, type ShownEntry } from "../audit/shown-entry.ts";
import type { Call } from "../command-table/command.ts";
import { refuseExisting, writeTarget } from "../export/write-target.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { print, tellWritten } from "../output.ts";
import { withStore } from "../store/open-store.ts";
import { noticesMember, tellNotices } from "../schemas/missing-types.ts";
import { counted, startProgress } from "../progress/progress.ts";
import { columns } from "../columns.ts";
import { limitFlag, type PageFlags, sinceFlag } from "./page-flags.ts";
import { toldKind } from "./told-kind.ts";
import { whoOf } from "./who.ts";
import { trailFlag } from "./tenant-flag.ts";

/** The flags of `scim audit`, as they were given. */
export interface AuditFlags extends PageFlags, ServerFlags, AskedAudit {}

/** Entries that are shown where nothing else is asked for. */
const SHOWN = 100;

/** Runs `scim audit <action>`. */
export async function auditCommand(call: Call<AuditFlags>): Promise<ExitCode> {
  const { settings, positionals, flags } = call;
  const tenant = trailFlag(flags);
  const run = actionOf(positionals, { tenant, since: sinceFlag(flags), flags });
  return onServerOr(
    call,
    (admin) => run(auditAtServer(admin, tenant)),
    () =>
      withStore({ settings, tenant }, async (opened) => {
        await tellOfWaitingEvents(opened.store, flags);
        return run(auditHere(opened, tenant));
      }),
  );
}

type Action = (audit: AuditReading) => Promise<ExitCode>;

interface Asked {
  readonly tenant: string;
  readonly since: number | null;
  readonly flags: AuditFlags;
}

function actionOf([action, target = "-"]: readonly string[], asked: Asked): Action {
  const { since, flags } = asked;
  if (action === "export") {
    refuseExisting(target);
    return (audit) => exportLog(audit, target, asked);
  }
  if (action === "verify") return (audit) => verify(audit, asked);
  const listing = { since, limit: limitFlag(flags, SHOWN), filters: filtersOf(flags) };
  return (audit) => list(audit, listing, asked);
}

function filtersOf(flags: AuditFlags): AuditListing["filters"] {
  if (AUDIT_FILTERS.every((name) => flags[name] === undefined)) return null;
  return readAuditFilters(flags, Date.now());
}

async function list(audit: AuditReading, listing: AuditListing, { tenant, flags }: Asked): Promise<ExitCode> {
  const { entries, next } = await audit.list(listing);
  if (entries.length === 0 && flags.connection !== undefined) await audit.requireConnection(flags.connection);
  const notices = entries.length > 0 || flags.type === undefined ? [] : await audit.noticesOf(flags.type);
  tellNotices(flags, notices);
  const heads = ["position", "at", "kind", "resource", "by", "changes"];
  return print(
    flags,
    { tenant, entries, next, ...noticesMember(notices) },
    columns([heads, ...entries.map(rowOf)]),
  );
}

function rowOf(entry: ShownEntry): readonly string[] {
  if (isUnreadable(entry)) {
    const place = [String(entry.position), entry.at, "unreadable", `${entry.type} ${entry.id}`];
    return [...place, "-", "tampered with: see 'scim audit verify'"];
  }
  const { position, at, kind, type, id, version, changes, collections } = entry;
  const paths = [...changes, ...collections].map(({ path }) => path);
  const told = toldKind(kind, version.before);
  return [String(position), at, told, `${type} ${id}`, whoOf(entry), paths.join(", ") || "-"];
}

/** Faults are a failure: a job that verifies each night says so by its exit code. */
async function verify(audit: AuditReading, { since, flags }: Asked): Promise<ExitCode> {
  const progress = startProgress("entries");
  const report = await audit
    .verify(since, (entries) => progress.show({ done: entries, part: null, note: "" }))
    .finally(() => progress.end());
  print(flags, report, verdictOf(report));
  return report.valid ? EXIT.ok : EXIT.failed;
}

function verdictOf(report: AuditReport): string {
  const { tenant, valid, entries, first, last, hash, checkpoints, signed, behind, faults, unsigned } = report;
  const range = first === null ? "" : `, positions ${first} to ${last}`;
  const until = signed === null ? "" : `, signed up to position ${signed.position} at ${signed.at}`;
  const before = behind === null ? [] : [`A checkpoint of ${behind.at} stands for what was before.`];
  const state = valid ? "The chain holds." : "The chain does not hold:";
  return [
    `Tenant ${tenant}: ${counted(entries, "entry", "entries")}${range}, ${counted(checkpoints, "checkpoint")} found right${until}.`,
    ...before,
    ...unsignedIn(unsigned),
    state,
    ...faults.map(({ kind, position, detail }) => `  ${position}  ${kind}  ${detail}`),
    ...(hash === null ? [] : [`Hash of the last entry: ${hash}`]),
  ].join("\n");
}

/** Milliseconds after which a server that runs has signed for sure (two hours). */
const SIGNED_WITHIN_MS = 7_200_000;

/** What nothing signs though a server may have; an older one does not tell. */
function unsignedIn(unsigned: AuditReport["unsigned"] | undefined): readonly string[] {
  if (unsigned === undefined || unsigned === null) return [];
  if (Date.now() - Date.parse(unsigned.at) < SIGNED_WITHIN_MS) return [];
  return [
    `No checkpoint signs the ${counted(unsigned.entries, "entry", "entries")} from position ${unsigned.position} on, the first of ${unsigned.at}.`,
    "Where a server has run for two hours since then, checkpoints were removed.",
  ];
}

async function exportLog(audit: AuditReading, target: string, { since, flags }: Asked): Promise<ExitCode> {
  const progress = startProgress("entries");
  const count = { entries: 0 };
  const onEntries = (more: number): void => {
    count.entries += more;
    progress.show({ done: count.entries, part: null, note: "" });
  };
  const lines = exportedLines({ audit, since: since ?? 0, onEntries });
  await writeTarget(target, lines).finally(() => progress.end());
  return tellWritten(flags, { file: target, ...count }, `${counted(count.entries, "entry", "entries")}.`);
}
