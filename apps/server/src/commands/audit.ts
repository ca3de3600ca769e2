/**
 * `scim audit`: shows the audit log of a tenant, verifies its chain, and writes it to a file.
 * @module
 */
import { statedEntry, verifyAudit, type AuditReport, type AuditStore, type ChainedEntry } from "@scim/events";
import { shownEntry } from "../admin/audit.ts";
import { refuseExisting, writeTarget } from "../export/write-target.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tellWritten, type Reader } from "../output.ts";
import { withStore, type OpenedStore } from "../open-store.ts";
import { grouped, startProgress } from "../progress/progress.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { limitFlag, type PageFlags, sinceFlag } from "./page-flags.ts";
import { whoOf } from "./who.ts";
import { trailFlag } from "./tenant-flag.ts";

/** The flags of `scim audit`, as they were given. */
export interface AuditFlags extends PageFlags {
  readonly type?: string;
  readonly id?: string;
}

/** Entries that are shown where nothing else is asked for. */
const SHOWN = 100;
/** Entries, or checkpoints, that are read at once. */
const PAGE = 500;

/** Runs `scim audit <action>`. */
export async function auditCommand(
  settings: Settings,
  [action, target]: readonly string[],
  flags: AuditFlags,
): Promise<ExitCode> {
  const run = actionOf(action, target, flags);
  return withStore(settings, run);
}

type Action = (opened: OpenedStore) => Promise<ExitCode>;

function actionOf(action: string | undefined, target: string | undefined, flags: AuditFlags): Action {
  const tenant = trailFlag(flags);
  const since = sinceFlag(flags);
  if (action === "export") {
    const to = target ?? "-";
    refuseExisting(to);
    return (opened) => exportLog(opened, { tenant, since: since ?? 0, target: to, json: flags.json });
  }
  if (action === "verify") return (opened) => verify(opened, { tenant, since, json: flags.json === true });
  const listing = { tenant, since, limit: limitFlag(flags, SHOWN), resource: resourceOf(flags) };
  return (opened) => list(opened, listing, flags);
}

function resourceOf({ type, id }: AuditFlags): Listing["resource"] {
  if (type !== undefined && id !== undefined) return { type, id };
  if (type === undefined && id === undefined) return undefined;
  throw new CommandFailure(EXIT.usage, "A resource is named by --type NAME and --id ID together.");
}

interface Listing {
  readonly tenant: string;
  /** Null: the last ones are shown. */
  readonly since: number | null;
  readonly limit: number;
  readonly resource: { readonly type: string; readonly id: string } | undefined;
}

async function list({ store }: OpenedStore, listing: Listing, reader: Reader): Promise<ExitCode> {
  const { tenant, limit, resource } = listing;
  const after = listing.since ?? (await firstShown(store.audit, listing));
  const entries = await store.audit.read(tenant, { after, limit, resource });
  const next = entries.at(-1)?.position ?? after;
  const heads = ["position", "at", "kind", "resource", "by", "changes"];
  const value = { tenant, entries: entries.map(shownEntry), next };
  return print(reader, value, columns([heads, ...entries.map(rowOf)]));
}

/** Of everything the last entries are shown, of one resource the first. */
async function firstShown(audit: AuditStore, { tenant, limit, resource }: Listing): Promise<number> {
  if (resource !== undefined) return 0;
  return Math.max(0, ((await audit.end(tenant))?.position ?? 0) - limit);
}

function rowOf(entry: ChainedEntry): readonly string[] {
  const { position, at, type, id } = entry;
  const stated = statedEntry(entry);
  const paths = [...stated.changes, ...stated.collections].map(({ path }) => path);
  return [String(position), at, stated.kind, `${type} ${id}`, whoOf(stated), paths.join(", ") || "-"];
}

interface Verification {
  readonly tenant: string;
  readonly since: number | null;
  readonly json: boolean;
}

/** Faults are a failure: a job that verifies each night says so by its exit code. */
async function verify(
  { store, auditKeys }: OpenedStore,
  { tenant, since, json }: Verification,
): Promise<ExitCode> {
  const progress = startProgress("entries");
  const report = await verifyAudit(tenant, {
    ...auditKeys,
    audit: store.audit,
    since: since ?? undefined,
    onProgress: (entries) => progress.show({ done: entries, part: null, note: "" }),
  });
  progress.end();
  print({ json }, report, verdictOf(report));
  return report.valid ? EXIT.ok : EXIT.failed;
}

function verdictOf({ tenant, valid, entries, first, last, hash, checkpoints, behind, faults }: AuditReport) {
  const range = first === null ? "" : `, positions ${first} to ${last}`;
  const before = behind === null ? [] : [`A checkpoint of ${behind.at} stands for what was before.`];
  const state = valid ? "The chain holds." : "The chain does not hold:";
  return [
    `Tenant ${tenant}: ${grouped(entries)} entries${range}, ${grouped(checkpoints)} checkpoints found right.`,
    ...before,
    state,
    ...faults.map(({ kind, position, detail }) => `  ${position}  ${kind}  ${detail}`),
    ...(hash === null ? [] : [`Hash of the last entry: ${hash}`]),
  ].join("\n");
}

interface LogExport {
  readonly tenant: string;
  readonly since: number;
  readonly target: string;
  readonly json: boolean | undefined;
}

async function exportLog(
  { store: { audit } }: OpenedStore,
  { tenant, since, target, json }: LogExport,
): Promise<ExitCode> {
  const progress = startProgress("entries");
  const count = { entries: 0 };
  async function* lines(): AsyncGenerator<string, void, undefined> {
    let after = since;
    for (;;) {
      const page = await audit.read(tenant, { after, limit: PAGE });
      for (const { hash, text } of page) yield `{"hash":"${hash}","entry":${text}}\n`;
      count.entries += page.length;
      progress.show({ done: count.entries, part: null, note: "" });
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.position;
    }
    yield* checkpointLines(audit, tenant, since);
  }
  await writeTarget(target, lines());
  progress.end();
  return tellWritten({ json }, { file: target, ...count }, `${grouped(count.entries)} entries.`);
}

async function* checkpointLines(
  audit: AuditStore,
  tenant: string,
  since: number,
): AsyncGenerator<string, void, undefined> {
  let from = since;
  for (;;) {
    const page = await audit.checkpoints(tenant, from, PAGE);
    for (const checkpoint of page) yield `${JSON.stringify({ checkpoint })}\n`;
    const last = page.at(-1);
    if (last === undefined) return;
    from = last.position + 1;
  }
}
