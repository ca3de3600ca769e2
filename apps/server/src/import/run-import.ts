/**
 * Runs an import: records in batches, each prepared while the one before is written.
 * @module
 */
import { createHash } from "node:crypto";
import { SeenKeys, type ImportOutcome, type PreparedImport } from "@scim/core";
import type { Operator } from "../operator/operator.ts";
import type { Progress } from "../progress/progress.ts";
import type { ImportOptions } from "./import-options.ts";
import { readRecords, type SourceItem } from "./read-records.ts";
import { openReport, type Report } from "./report.ts";
import { openSource, type Source } from "./source/open-source.ts";

/** What an import came to. */
export interface ImportSummary {
  readonly records: number;
  readonly created: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Records that an earlier part of the run was done with. */
  readonly resumedAt: number;
  /** Whether it was stopped before the end of the source. */
  readonly stopped: boolean;
}

/** An import to run. */
export interface ImportJob {
  readonly operator: Operator;
  readonly options: ImportOptions;
  readonly progress: Progress;
  /** Asks to stop after what is under way. */
  readonly signal: AbortSignal;
}

/** Records that are prepared and written together, unless they are long: more take more memory, and no less time. */
const BATCH_RECORDS = 300;
const BATCH_BYTES = 8_388_608;

/**
 * Imports a source.
 * @throws CommandFailure for a source, a mapping or a report that cannot be used; ScimError `unavailable` where the
 *   database cannot be read or written now: the same command goes on where this one stopped
 */
export async function runImport(job: ImportJob): Promise<ImportSummary> {
  const source = await openSource(job.options);
  const run = await beginRun(job, source);
  try {
    await runBatches(run, source);
    await finishRun(run);
  } finally {
    run.report.flush();
    run.report.close();
  }
  return summaryOf(run);
}

/** An import under way. */
interface Run {
  readonly job: ImportJob;
  /** Name under which the progress is stored; null where none is. */
  readonly name: string | null;
  readonly report: Report;
  readonly seen: SeenKeys;
  readonly resumedAt: number;
  readonly counts: { created: number; replaced: number; unchanged: number };
  records: number;
  stopped: boolean;
}

async function beginRun(job: ImportJob, source: Source): Promise<Run> {
  const { operator, options } = job;
  const { service, context } = operator;
  const name = options.dryRun ? null : nameOf(source, job);
  if (name !== null && options.restart) await service.forgetImport(context, name);
  const before = name === null ? null : await service.importProgress(context, name);
  const resumedAt = before?.position ?? 0;
  return {
    job,
    name,
    report: openReport(options.report, resumedAt),
    seen: new SeenKeys(),
    resumedAt,
    counts: {
      created: before?.created ?? 0,
      replaced: before?.replaced ?? 0,
      unchanged: before?.unchanged ?? 0,
    },
    records: 0,
    stopped: false,
  };
}

/** A run goes on where the same bytes are read in the same way, for the same tenant and connection. */
function nameOf({ fingerprint }: Source, { operator, options }: ImportJob): string | null {
  if (fingerprint === null) return null;
  const { format, type, mapping, encoding, mode, keepIds, maxRecord } = options;
  const { connection } = operator.context;
  const parts = [fingerprint, connection, format, type, mapping, encoding, mode, keepIds, maxRecord];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** A batch that was handed to the store. */
interface Written {
  readonly prepared: PreparedImport;
  readonly done: Promise<void>;
}

async function runBatches(run: Run, source: Source): Promise<void> {
  const { operator, options, signal } = run.job;
  let before: Written | null = null;
  try {
    for await (const items of batchesOf(readRecords(source, options, operator.catalog))) {
      if (signal.aborted) {
        run.stopped = true;
        break;
      }
      const fresh = passKnown(run, items);
      if (fresh.length > 0) before = await runBatch(run, fresh, before);
      show(run, source);
    }
  } finally {
    await before?.done;
  }
}

async function runBatch(run: Run, items: readonly SourceItem[], before: Written | null): Promise<Written> {
  const { operator, options } = run.job;
  if (before !== null && !before.prepared.mayOverlap) await before.done;
  const prepared = await operator.service.prepareImport(operator.context, {
    items: items.map(({ item }) => item),
    seen: run.seen,
    keepIds: options.keepIds,
    mode: options.mode,
  });
  await before?.done;
  const done = write(run, items, prepared);
  // Awaited when the next batch is ready; until then nobody listens.
  done.catch(() => undefined);
  return { prepared, done };
}

async function write(run: Run, items: readonly SourceItem[], prepared: PreparedImport): Promise<void> {
  const lines = new Map(items.map(({ item, line }) => [item.record, line]));
  const tell = (outcome: ImportOutcome): void => run.report.add(outcome, lines.get(outcome.record) ?? 0);
  const { dryRun } = run.job.options;
  const planned = dryRun ? await prepared.foresee() : prepared.outcomes;
  for (const outcome of planned) if (outcome.kind === "rejected") tell(outcome);
  run.report.flush();
  const outcomes = dryRun
    ? planned
    : await prepared.apply({
        run: run.name,
        onRejected: async (outcome) => {
          tell(outcome);
          run.report.flush();
        },
      });
  for (const { kind } of outcomes) if (kind !== "rejected") run.counts[kind] += 1;
  run.records += items.length;
}

/** The items that an earlier part of the run was not done with; the keys of the others are remembered. */
function passKnown(run: Run, items: readonly SourceItem[]): readonly SourceItem[] {
  const { operator, options } = run.job;
  const fresh = items.filter(({ item }) => item.record > run.resumedAt);
  const known = items.filter(({ item }) => item.record <= run.resumedAt).map(({ item }) => item);
  if (known.length === 0) return fresh;
  const { keepIds, mode } = options;
  operator.service.passImported(operator.context, { items: known, seen: run.seen, keepIds, mode });
  run.records += known.length;
  return fresh;
}

async function* batchesOf(
  pieces: AsyncIterable<readonly SourceItem[]>,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  let batch: SourceItem[] = [];
  let bytes = 0;
  for await (const items of pieces) {
    for (const item of items) {
      batch.push(item);
      bytes += item.bytes;
      if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function show(run: Run, source: Source): void {
  const part = source.bytes === null || source.bytes === 0 ? null : Math.min(1, source.read() / source.bytes);
  const rejected = run.report.count();
  run.job.progress.show({ done: run.records, part, note: rejected === 0 ? "" : `${rejected} rejected` });
}

/** What is done needs no progress; the same source again is a new run. */
async function finishRun({ name, stopped, job }: Run): Promise<void> {
  if (name !== null && !stopped) await job.operator.service.forgetImport(job.operator.context, name);
}

function summaryOf({ records, counts, report, resumedAt, stopped }: Run): ImportSummary {
  return { records, ...counts, rejected: report.count(), resumedAt, stopped };
}
