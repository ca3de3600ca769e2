/**
 * Work on the database as a generator: it yields statements and is handed the answers. Whoever runs it
 * decides how: at once on an embedded database, or awaiting each answer of a server.
 * @module
 */
import type { FreshContent } from "./events/fresh-events.ts";
import type { CountChange } from "./resources/counters.ts";
import type { Sieve, Sifted } from "./query/sift.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** A row by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** Yielded between statements where other work may go first: long writes must not hold up reads. */
export const PAUSE = Symbol("pause");

/** What a statement came to. */
export interface Answer {
  /** The rows of a query; none for a statement that changes rows. */
  readonly rows: readonly Row[];
  /** How many rows a statement inserted, updated or deleted; 0 for a query. */
  readonly changes: number;
  /**
   * Of a batch: the first of its statements, from 0, that changed no row where it had to. The write must come to an
   * end that keeps nothing.
   */
  readonly unmet?: number;
}

/** A statement of a batch. */
export interface BatchStatement {
  readonly statement: Sql;
  /**
   * Given where the write goes on only if the statement changes a row, or answers one: a query that answers a row where
   * it has, for a server that is not waited for.
   */
  readonly proof?: Sql;
}

/**
 * Statements of a write that wait for no answer, in their order: a server is sent all of them at once.
 */
export interface Batch {
  readonly batch: readonly BatchStatement[];
  /**
   * Given with the last batch of a write that is kept where each statement does what it has to: steps that find out
   * whether the batch was carried out, for the case that the connection broke before the server said so. Nothing
   * but the end may follow such a batch, so that it is sent together with the commit.
   */
  readonly wasKept?: () => Steps<boolean>;
}

/** The answer where there was no statement. */
export const NO_ANSWER: Answer = { rows: [], changes: 0 };

/** Work that needs the answer to each statement that it yields. */
export type Steps<Result> = Generator<Sql | Batch | typeof PAUSE, Result, Answer>;

/** Steps that are given as they are, or to be made. */
export function madeSteps<Result>(steps: Steps<Result> | (() => Steps<Result>)): Steps<Result> {
  return typeof steps === "function" ? steps() : steps;
}

/** Whether a step is a batch. */
export function isBatch(step: Sql | Batch): step is Batch {
  return "batch" in step;
}

/** Whether a statement of a batch did not do what it had to. */
export function isUnmet({ proof }: BatchStatement, { changes, rows }: Answer): boolean {
  return proof !== undefined && changes === 0 && rows.length === 0;
}

/** The answer to a step of a database that answers each statement at once. */
export function answerAtOnce(step: Sql | Batch | typeof PAUSE, run: (statement: Sql) => Answer): Answer {
  if (step === PAUSE) return NO_ANSWER;
  if (!isBatch(step)) return run(step);
  let changes = 0;
  for (const [index, each] of step.batch.entries()) {
    const answer = run(each.statement);
    if (isUnmet(each, answer)) return { rows: [], changes, unmet: index };
    changes += answer.changes;
  }
  return { rows: [], changes };
}

/** What a write came to, and whether its changes stay. */
export interface Outcome<Result> {
  readonly keep: boolean;
  readonly result: Result;
}

/** Runs steps. Each dialect has one. */
export interface Executor {
  /** Runs steps of one statement, or of several that need not see the same state. */
  read<Result>(steps: Steps<Result>): Promise<Result>;
  /**
   * As `read`, for whoever tells others, outside, what is read: it is durable, whichever process wrote it. Else what another
   * process has committed may be read a moment before it is.
   */
  readDurable<Result>(steps: Steps<Result>): Promise<Result>;
  /**
   * Runs steps whose statements all see the same state. Where they are given as a function, they may be made anew:
   * where a transaction is work for the database, it learns which need none, because they are one statement.
   */
  snapshot<Result>(steps: Steps<Result> | (() => Steps<Result>)): Promise<Result>;
  /**
   * Runs steps in a transaction: kept whole or not at all, durable when the promise resolves. The steps are
   * made anew where they have to be run again.
   * @throws ScimError `unavailable` when the database stays locked or cannot be written
   */
  write<Result>(makeSteps: (transaction: WriteTransaction) => Steps<Outcome<Result>>): Promise<Result>;
  /**
   * Opens one state of the database for reads that take long: they run beside the requests, and hold up neither
   * them nor writes.
   * @throws ScimError `unavailable` when as many are open as the database may have
   */
  openSnapshot(signal?: AbortSignal): Promise<SnapshotReader>;
  /**
   * Opens a place where rows are staged for a write that takes them over. What is done there takes long, and holds up
   * no request.
   * @throws ScimError `unavailable` where it cannot be made now
   */
  openStage(signal?: AbortSignal): Promise<StagePlace>;
  /** Lets other work go first. */
  pause(): Promise<void>;
}

/** A place where rows are staged, until it is closed. Its calls are made one after another. */
export interface StagePlace {
  /** Runs steps that stage rows, and compare them with what is stored. They are made anew where they run again. */
  run<Result>(makeSteps: () => Steps<Result>): Promise<Result>;
  /** As {@link Executor.write}, for a write that reads what is staged. Other writes wait for it, reads do not. */
  write<Result>(makeSteps: (transaction: WriteTransaction) => Steps<Outcome<Result>>): Promise<Result>;
  /** Lets the rows of a stage go. */
  close(tenant: string, stage: string): Promise<void>;
}

/** One state of the database, until it is closed. */
export interface SnapshotReader {
  /** Runs steps; what is aborted rejects with the reason of the signal. */
  run<Result>(steps: Steps<Result>): Promise<Result>;
  /**
   * Runs a query for rows of resources and sifts them where they are read, off the thread of the requests. Without
   * it, whoever asked sifts them, few at a time.
   */
  sift?(query: Sql, sieve: Sieve): Promise<Sifted>;
  /** Ends it. More than once does no harm. */
  close(): Promise<void>;
}

/** What the steps of one write know about the transaction that they share with others. */
export interface WriteTransaction {
  /** Number of this transaction in the outbox of a tenant, as an expression; the same for all writes in it. */
  number(tenant: string): Steps<Sql>;
  /** Place among the events of this transaction, from 0. */
  nextSequence(): number;
  /**
   * Keeps what an event tells until it is given its position, where that saves reading it again; `tell` is asked then
   * alone, and answers null for what the database has to be asked.
   */
  keepFresh(tenant: string, tell: () => FreshContent | null): void;
  /**
   * Counts live resources. Answers the statements that do, and that prove what the change demands; none of them counts
   * where the transaction does so for all writes in it.
   */
  count(change: CountChange): readonly BatchStatement[];
}

/** Reads a column that holds text. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string")
    throw new TypeError(`Column ${column} holds ${typeof value} where text was expected`);
  return value;
}

/** Reads a column that holds text or nothing. */
export function textOrNullOf(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** Reads a column that holds a number. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "number")
    throw new TypeError(`Column ${column} holds ${typeof value} where a number was expected`);
  return value;
}

/** Reads the one number that a query answers; 0 where it answers no row. */
export function countOf({ rows }: Answer, column: string): number {
  const [row] = rows;
  return row === undefined ? 0 : numberOf(row, column);
}
