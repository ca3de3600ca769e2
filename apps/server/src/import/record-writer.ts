/**
 * Writes the records of an import. They are taken for new ones, gathered and written together, many at once; where some
 * of them are not, these and those that follow are looked for first, and written in batches.
 * @module
 */
import type { ImportOutcome, ImportRules, NewImports } from "@scim/core";
import type { Operator } from "../operator/operator.ts";
import type { ImportOptions } from "./import-options.ts";
import type { SourceRecord } from "./read-records.ts";
import type { Report } from "./report.ts";

/** What a writer needs to know of a run, and what it tells it. */
export interface WriterRun {
  readonly job: { readonly operator: Operator; readonly options: ImportOptions };
  /** Name under which the progress is stored; null where none is. */
  readonly name: string | null;
  readonly rules: ImportRules;
  readonly report: Report;
  readonly counts: { created: number; replaced: number; unchanged: number };
  /** Records that are done. */
  records: number;
}

/** Records that are read at once: what is made of them is garbage before V8 has to move it. */
const GATHERED_AT_ONCE = 100;

/**
 * Records that are gathered and written in one transaction, unless they are long. Pages of indexes that several of them
 * change are written once; others who write wait for the transaction, and so there are fewer where it takes longer than it
 * shall.
 */
const FEWEST_IN_GROUP = 2000;
const MOST_IN_GROUP = 12_000;
const LONGEST_WRITE_MS = 1000;
const GROUP_BYTES = 8_388_608;

/** Records that are looked for and written together. */
const BATCH_RECORDS = 300;

/** Records that were gathered. */
interface Group {
  /** Those that are planned. */
  readonly records: SourceRecord[];
  /** How many there are, rejected ones among them. */
  count: number;
  bytes: number;
  readonly rejected: Rejected[];
}

interface Rejected {
  readonly outcome: ImportOutcome;
  readonly line: number;
}

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
  #group: Group = emptyGroup();
  /** How many records a group may have: as many as were written in time. */
  #most = FEWEST_IN_GROUP;
  #writing: Writing = { mayOverlap: true, done: Promise.resolve() };
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
    if (this.#gathers && this.#gather(records)) {
      if (this.#isFull()) await this.flush();
      return;
    }
    if (this.#group.count > 0) {
      await this.flush();
      await this.#writing.done;
    }
    if (this.#doubted === 0) this.#beginToDoubt();
    await this.#writeBatch(records);
    this.#doubted = Math.max(0, this.#doubted - records.length);
  }

  /** Writes what is gathered, when what is being written is done. */
  async flush(): Promise<void> {
    const group = this.#group;
    if (group.count === 0) return;
    await this.#writing.done;
    this.#group = emptyGroup();
    this.#begin(true, this.#writeGroup(group));
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

  #isFull(): boolean {
    const { count, bytes } = this.#group;
    return count >= this.#most || bytes >= GROUP_BYTES;
  }

  /** Answers false where the records have to be looked for. */
  #gather(records: readonly SourceRecord[]): boolean {
    const outcomes = this.#gathering?.add(records.map((record) => record.item())) ?? null;
    if (outcomes === null) return false;
    const group = this.#group;
    for (const [place, record] of records.entries()) {
      const outcome = outcomes[place];
      if (outcome?.kind === "rejected") group.rejected.push({ outcome, line: record.line });
      else group.records.push(record);
      group.bytes += record.bytes;
    }
    group.count += records.length;
    return true;
  }

  /** Where some records are not new, many are not: each time more are looked for before any is taken for new again. */
  #beginToDoubt(): void {
    this.#doubted = this.#doubt;
    this.#doubt *= 2;
  }

  async #writeGroup({ records, count, rejected }: Group): Promise<void> {
    const { report, name, counts } = this.#run;
    for (const { outcome, line } of rejected) report.add(outcome, line);
    report.flush();
    const begun = performance.now();
    const isWritten = (await this.#gathering?.write(name)) === true;
    // Where nothing is to be written, the clock may stand still meanwhile.
    const share = LONGEST_WRITE_MS / Math.max(1, performance.now() - begun);
    this.#most = Math.min(Math.max(FEWEST_IN_GROUP, Math.floor(records.length * share)), MOST_IN_GROUP);
    if (isWritten) {
      counts.created += records.length;
      this.#run.records += count;
      return;
    }
    if (this.#doubted === 0) this.#beginToDoubt();
    this.#run.records += rejected.length;
    for (let start = 0; start < records.length; start += BATCH_RECORDS) {
      const batch = records.slice(start, start + BATCH_RECORDS);
      const { done } = await this.#prepared(batch);
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
    const { job, rules, name, report, counts } = this.#run;
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
      const outcomes = options.dryRun ? planned : await prepared.apply({ run: name, onRejected });
      for (const { kind } of outcomes) if (kind !== "rejected") counts[kind] += 1;
      this.#run.records += records.length;
    };
    return { mayOverlap: prepared.mayOverlap, done };
  }
}

function emptyGroup(): Group {
  return { records: [], count: 0, bytes: 0, rejected: [] };
}
