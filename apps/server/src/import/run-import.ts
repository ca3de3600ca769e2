/**
 * Runs an import: records are read while those before are written.
 * @module
 */
import { ImportRun, SeenKeys, type ImportProgress } from "@scim/core";
import { readMapping } from "../csv/mapping.ts";
import type { Operator } from "../operator/operator.ts";
import type { Progress } from "../progress/progress.ts";
import type { ImportOptions } from "./import-options.ts";
import { readRecords, type ReadOptions, type SourceRecord } from "./read-records.ts";
import { RecordWriter, type WriterRun } from "./record-writer.ts";
import { openReport } from "./report.ts";
import { holdReport } from "./report-hold.ts";
import { nameRun } from "./run-name.ts";
import type { Source } from "./source/open-source.ts";

/** What an import came to. */
export interface ImportSummary {
  readonly records: number;
  readonly created: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** Rejected records that the report does not list: an earlier part of the run told of them elsewhere. */
  readonly unlisted: number;
  /** Records that an earlier part of the run was done with. */
  readonly resumedAt: number;
  /** Whether it began anew though an earlier run of the source was stopped, since that read it in another way. */
  readonly begunAnew: boolean;
  /** Whether it was stopped before the end of the source. */
  readonly stopped: boolean;
}

/** An import to run. */
export interface ImportJob {
  readonly operator: Operator;
  /** What is read, opened by the same options. */
  readonly source: Source;
  readonly options: ImportOptions;
  readonly progress: Progress;
  /** Asks to stop after what is under way. */
  readonly signal: AbortSignal;
}

/**
 * Imports a source.
 * @throws CommandFailure for records, a mapping or a report that cannot be used, and where another import is at it; ScimError `unavailable` where the
 *   database cannot be read or written now: the same command goes on where this one stopped
 */
export async function runImport(job: ImportJob): Promise<ImportSummary> {
  const letGo = holdReport(job.options.report);
  try {
    return await runHeld(job);
  } finally {
    letGo();
  }
}

async function runHeld(job: ImportJob): Promise<ImportSummary> {
  const { source } = job;
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
interface Run extends WriterRun {
  readonly job: ImportJob;
  /** Name under which the progress is stored; null where none is. */
  readonly name: string | null;
  readonly reading: ReadOptions;
  readonly resumedAt: number;
  readonly begunAnew: boolean;
  stopped: boolean;
}

const NOTHING_DONE: ImportProgress = { position: 0, created: 0, replaced: 0, unchanged: 0 };

async function beginRun(job: ImportJob, source: Source): Promise<Run> {
  const { operator, options } = job;
  const { service, context } = operator;
  const reading = { ...options, mapping: options.mapping === null ? null : readMapping(options.mapping) };
  const { fingerprint } = source;
  const named =
    options.dryRun || fingerprint === null
      ? null
      : nameRun({ operator, options, mapping: reading.mapping, fingerprint });
  const name = named?.run ?? null;
  if (name !== null && options.restart) await service.forgetImport(context, name);
  const before = name === null ? null : await service.importProgress(context, name);
  const isUntold = named !== null && before === null && !options.restart;
  const begunAnew = isUntold && (await service.importsBegun(context, named.beginning)) > 0;
  const { position: resumedAt, ...counts } = before ?? NOTHING_DONE;
  // Records are created, replaced, unchanged or rejected. Two machines that imported the same file have counted some twice.
  const rejected = Math.max(0, resumedAt - counts.created - counts.replaced - counts.unchanged);
  return {
    job,
    reading,
    name,
    progress: name === null ? null : new ImportRun(name, resumedAt),
    report: openReport(options.report, { position: resumedAt, rejected }),
    rules: { seen: new SeenKeys(), keepIds: options.keepIds, mode: options.mode },
    resumedAt,
    begunAnew,
    counts,
    records: 0,
    stopped: false,
  };
}

async function runBatches(run: Run, source: Source): Promise<void> {
  const { operator, signal } = run.job;
  const writer = new RecordWriter(run);
  try {
    const records = readRecords(source, run.reading, operator.catalog);
    for await (const batch of batchesOf(records, { signal, most: () => writer.batchRecords })) {
      if (signal.aborted) {
        run.stopped = true;
        break;
      }
      const fresh = passKnown(run, batch);
      if (fresh.length > 0) await writer.add(fresh);
      show(run, source);
    }
    await writer.flush();
  } finally {
    await writer.settled();
  }
}

/** The records that an earlier part of the run was not done with; the keys of the others are remembered. */
function passKnown(run: Run, records: readonly SourceRecord[]): readonly SourceRecord[] {
  const { operator } = run.job;
  const fresh = records.filter(({ record }) => record > run.resumedAt);
  const known = records.filter(({ record }) => record <= run.resumedAt);
  if (known.length === 0) return fresh;
  operator.service.passImported(operator.context, {
    ...run.rules,
    items: known.map((record) => record.item()),
  });
  run.records += known.length;
  return fresh;
}

/** Bytes of records that are read before the first of them is prepared. */
const BATCH_BYTES = 8_388_608;

async function* batchesOf(
  pieces: AsyncIterable<readonly SourceRecord[]>,
  { signal, most }: { readonly signal: AbortSignal; readonly most: () => number },
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  let batch: SourceRecord[] = [];
  let bytes = 0;
  try {
    for await (const records of pieces) {
      // A record may have no end: a stop does not wait for it.
      if (signal.aborted) return yield batch;
      for (const record of records) {
        batch.push(record);
        bytes += record.bytes;
        if (batch.length < most() && bytes < BATCH_BYTES) continue;
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  } catch (cause) {
    // Nor for a piece that does not come.
    if (!signal.aborted) throw cause;
    return yield batch;
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

function summaryOf({ records, counts, report, resumedAt, begunAnew, stopped }: Run): ImportSummary {
  const { unlisted } = report;
  // What an earlier part created beyond its position is expected to be unchanged. Where it was changed, it counts as replaced.
  const changed = Math.max(0, -counts.unchanged);
  const { created, replaced, unchanged } = counts;
  return {
    // One that is stopped while it passes what an earlier part was done with has done no less.
    records: Math.max(records, resumedAt),
    created: created - changed,
    replaced,
    unchanged: unchanged + changed,
    rejected: report.count(),
    unlisted,
    resumedAt,
    begunAnew,
    stopped,
  };
}
