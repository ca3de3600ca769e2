/**
 * Writes the records of an import. They are taken for new ones, gathered and written together, many at once; where some
 * of them are not, these and those that follow are looked for first, and written in batches.
 * @module
 */
import type { ImportOutcome, ImportRules, ImportRun, NewImports } from "@scim/core";
import type { Operator } from "../operator/operator.ts";
import { GatheredRecords, type Group } from "./gathered-records.ts";
import type { ImportOptions } from "./import-options.ts";
import type { SourceRecord } from "./read-records.ts";
import type { Report } from "./report.ts";

/** What a writer needs to know of a run, and what it tells it. */
export interface WriterRun {
  readonly job: { readonly operator: Operator; readonly options: ImportOptions };
  /** What is stored of the run; null where nothing is. */
  readonly progress: ImportRun | null;
  readonly rules: ImportRules;
  readonly report: Report;
  readonly counts: { created: number; replaced: number; unchanged: number };
  /** Records that are done. */
  records: number;
}

/** Records that are read at once: what is made of them is garbage before V8 has to move it. */
const GATHERED_AT_ONCE = 100;

/**
 * Records that are written in one transaction at most, unless they are long. Pages of indexes that several of them change
 * are written once; others who write wait for the transaction, and so there are fewer where it takes longer than it shall.
 */
const FEWEST_IN_GROUP = 2000;
const MOST_IN_GROUP = 12_000;
const LONGEST_WRITE_MS = 1000;

/** Records that are looked for and written together. */
const BATCH_RECORDS = 300;

/** What is being written. */
interface Writing {
  /** Whether more may be prepared meanwhile. */
  readonly mayOverlap: boolean;
  readonly done: Promise<void>;
}

/** Writes the records of a run. */
export class RecordWriter {
  readonly #run: WriterRun;
  /** Null where records cannot be gathered. */
  readonly #gathering: NewImports | null;
  readonly #gathered = new GatheredRecords();
  /** Whether what was gathered may still be written, or be refused. */
  #isGathered = false;
  /** How many records a group may have: as many as were written in time. */
  #most = FEWEST_IN_GROUP;
  #writing: Writing = { mayOverlap: true, done: Promise.resolve() };
  /** Records that were gathered, and are not all new. */
  #refused: SourceRecord[] = [];
  /** How many of the next records are looked for, and how many the next time that some were not new. */
  #doubted = 0;
  #doubt = FEWEST_IN_GROUP;

  constructor(run: WriterRun) {
    const { operator, options } = run.job;
    this.#run = run;
    this.#gathering = options.dryRun ? null : operator.service.importNew(operator.context, run.rules);
  }

  /** How many records to bring at once. */
  get batchRecords(): number {
    return this.#gathers ? GATHERED_AT_ONCE : BATCH_RECORDS;
  }

  /**
   * Takes records, which are written now or later.
   * @throws ScimError `unavailable` where the database cannot be read or written now
   */
  async add(records: readonly SourceRecord[]): Promise<void> {
    if (this.#refused.length > 0) await this.flush();
    if (this.#gathers && this.#gather(records)) {
      while (this.#gathered.isFull(this.#most)) await this.#writeNext();
      return;
    }
    await this.flush();
    if (this.#doubted === 0) this.#beginToDoubt();
    await this.#writeBatch(records);
    this.#doubted = Math.max(0, this.#doubted - records.length);
  }

  /**
   * Writes what is gathered.
   * @throws ScimError `unavailable` where the database cannot be read or written now
   */
  async flush(): Promise<void> {
    if (!this.#isGathered) return;
    while (!this.#gathered.isEmpty) await this.#writeNext();
    await this.#writing.done;
    await this.#writeRefused();
    this.#isGathered = false;
  }

  /**
   * Resolves when what is being written is done, and durable.
   * @throws ScimError `unavailable` where the database cannot be written now, or what was written may be lost
   */
  async settled(): Promise<void> {
    await this.#writing.done;
    await this.#gathering?.settled();
  }

  get #gathers(): boolean {
    return this.#gathering !== null && this.#doubted === 0;
  }

  /** Answers false where the records have to be looked for. */
  #gather(records: readonly SourceRecord[]): boolean {
    const items = this.#gathering?.add(
      records.map((record) => record.item()),
      this.#most,
    );
    if (items === undefined || items === null) return false;
    this.#isGathered = true;
    for (const [place, record] of records.entries()) {
      const { outcome, range } = items[place] ?? { outcome: null, range: null };
      if (range !== null) this.#gathered.add(record, range);
      else if (outcome !== null) this.#gathered.reject({ outcome, line: record.line });
    }
    return true;
  }

  /** Where some records are not new, many are not: each time more are looked for before any is taken for new again. */
  #beginToDoubt(): void {
    this.#doubted = this.#doubt;
    this.#doubt *= 2;
  }

  /** Writes the group that began first, when what is being written is done. */
  async #writeNext(): Promise<void> {
    await this.#writing.done;
    this.#begin(true, this.#writeGroup(this.#gathered.take(this.#most)));
  }

  async #writeGroup({ range, records, rejected }: Group): Promise<void> {
    const { report, progress, counts } = this.#run;
    for (const { outcome, line } of rejected) report.add(outcome, line);
    report.flush();
    const begun = performance.now();
    const isWritten = (await this.#gathering?.write(range, progress)) === true;
    // Where nothing is to be written, the clock may stand still meanwhile.
    const share = LONGEST_WRITE_MS / Math.max(1, performance.now() - begun);
    this.#most = Math.min(Math.max(FEWEST_IN_GROUP, Math.floor(records.length * share)), MOST_IN_GROUP);
    this.#run.records += rejected.length;
    if (!isWritten) {
      this.#refused.push(...records);
      return;
    }
    counts.created += records.length;
    this.#run.records += records.length;
  }

  /** Looks for the records of groups that were refused, in the order of the source. */
  async #writeRefused(): Promise<void> {
    const records = this.#refused.toSorted((one, other) => one.record - other.record);
    if (records.length === 0) return;
    this.#refused = [];
    if (this.#doubted === 0) this.#beginToDoubt();
    for (let start = 0; start < records.length; start += BATCH_RECORDS) {
      const { done } = await this.#prepared(records.slice(start, start + BATCH_RECORDS));
      await done();
    }
  }

  async #writeBatch(records: readonly SourceRecord[]): Promise<void> {
    if (!this.#writing.mayOverlap) await this.#writing.done;
    const { mayOverlap, done } = await this.#prepared(records);
    await this.#writing.done;
    this.#begin(mayOverlap, done());
  }

  #begin(mayOverlap: boolean, done: Promise<void>): void {
    this.#writing = { mayOverlap, done };
    // Awaited when more is to be written; until then nobody listens to what went wrong.
    done.catch(() => undefined);
  }

  /** Prepares records, and answers how to write them. */
  async #prepared(
    records: readonly SourceRecord[],
  ): Promise<{ readonly mayOverlap: boolean; readonly done: () => Promise<void> }> {
    const { job, rules, progress, report, counts } = this.#run;
    const { operator, options } = job;
    const items = records.map((record) => record.item());
    const prepared = await operator.service.prepareImport(operator.context, { ...rules, items });
    const lines = new Map(records.map(({ record, line }) => [record, line]));
    const tell = (outcome: ImportOutcome): void => report.add(outcome, lines.get(outcome.record) ?? 0);
    const onRejected = async (outcome: ImportOutcome): Promise<void> => {
      tell(outcome);
      report.flush();
    };
    const done = async (): Promise<void> => {
      const planned = options.dryRun ? await prepared.foresee() : prepared.outcomes;
      for (const outcome of planned) if (outcome.kind === "rejected") tell(outcome);
      report.flush();
      const outcomes = options.dryRun ? planned : await prepared.apply({ run: progress, onRejected });
      for (const { kind } of outcomes) if (kind !== "rejected") counts[kind] += 1;
      this.#run.records += records.length;
    };
    return { mayOverlap: prepared.mayOverlap, done };
  }
}
