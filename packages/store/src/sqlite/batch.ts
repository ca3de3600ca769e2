/**
 * The writes of one transaction of the queue. They are run together first, and where one of them has to be taken back
 * all are, and run again with a savepoint each, so that one that fails takes nothing from the others: for a savepoint
 * SQLite keeps a copy of every page that a write changes, and almost no write needs it. Whoever runs them is told where a
 * statement has ended the transaction.
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FreshEvents } from "../events/fresh-events.ts";
import type { Sql } from "../sql.ts";
import { answerAtOnce, NO_ANSWER, type Outcome, PAUSE, type Steps } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";
import { orUnavailable } from "./failures.ts";
import { SharedTransaction } from "./transaction.ts";

/** A write that waits, and how to tell its caller. */
export interface WaitingWrite {
  /** Runs the write; answers what to call when it is durable. The steps are made anew each time. */
  readonly run: (transaction: SharedTransaction) => Generator<void, Settlement>;
  readonly reject: (error: unknown) => void;
}

/** What a write came to, and how its caller is told. */
export interface Settlement {
  readonly keep: boolean;
  readonly settle: () => void;
}

/** A transaction that is open, and what runs in it. */
export interface OpenTransaction {
  readonly connection: SqliteConnection;
  /** Whether a long write may let reads go first. */
  readonly pauses: boolean;
  /** What remembers the events of a transaction that was committed; null for nothing. */
  readonly freshEvents: FreshEvents | null;
}

const SAVEPOINT: Sql = { text: "SAVEPOINT write_plan", params: [] };
const RELEASE: Sql = { text: "RELEASE write_plan", params: [] };
const ROLLBACK_TO: Sql = { text: "ROLLBACK TO write_plan", params: [] };

/** A write of a caller who waits for its result. */
export function waitingWrite<Result>(
  connection: SqliteConnection,
  makeSteps: (transaction: SharedTransaction) => Steps<Outcome<Result>>,
  { resolve, reject }: Pick<PromiseWithResolvers<Result>, "resolve" | "reject">,
): WaitingWrite {
  return {
    run: (transaction) => settling(runSteps(connection, transaction, makeSteps(transaction)), resolve),
    reject,
  };
}

/**
 * Apart from `waitingWrite`: V8 gives a generator function that is made for each call a hidden class of its own, which keeps all
 * that the call knows until old objects are collected.
 */
function* settling<Result>(
  steps: Generator<void, Outcome<Result>>,
  resolve: (result: Result) => void,
): Generator<void, Settlement> {
  const { keep, result } = yield* steps;
  return { keep, settle: () => resolve(result) };
}

/**
 * Runs writes one after another; answers what to call when they are durable. Null where one of them has to be taken
 * back: the transaction must be.
 */
export async function runTogether(
  open: OpenTransaction,
  batch: readonly WaitingWrite[],
): Promise<readonly (() => void)[] | null> {
  const transaction = new SharedTransaction(open.freshEvents);
  const settlements: (() => void)[] = [];
  for (const write of batch) {
    const settlement = await finish(open, tried(open, write, transaction));
    if (settlement.keep) transaction.kept();
    else if (transaction.hasChanged) return null;
    else transaction.takenBack();
    settlements.push(settlement.settle);
  }
  writeCounts(open, transaction);
  return [...settlements, () => transaction.committed()];
}

/** Runs writes with a savepoint each; answers what to call when they are durable. */
export async function runApart(
  open: OpenTransaction,
  batch: readonly WaitingWrite[],
): Promise<readonly (() => void)[]> {
  const transaction = new SharedTransaction(open.freshEvents);
  const settlements: (() => void)[] = [];
  for (const write of batch) settlements.push(await finish(open, inSavepoint(open, write, transaction)));
  writeCounts(open, transaction);
  return [...settlements, () => transaction.committed()];
}

/** Runs the one write of a transaction. Where it is not to be kept, the transaction must be taken back. */
export async function runAlone(open: OpenTransaction, write: WaitingWrite): Promise<Settlement> {
  const transaction = new SharedTransaction(open.freshEvents);
  const { keep, settle } = await finish(open, write.run(transaction));
  if (!keep) return { keep, settle };
  transaction.kept();
  writeCounts(open, transaction);
  return {
    keep,
    settle: () => {
      transaction.committed();
      settle();
    },
  };
}

function writeCounts({ connection }: OpenTransaction, transaction: SharedTransaction): void {
  for (const statement of transaction.counts()) connection.run(statement);
}

/** Runs the steps of a write to their end. */
async function finish<Result>({ pauses }: OpenTransaction, steps: Generator<void, Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    if (pauses) await nextTurn();
    step = steps.next();
  }
  return step.value;
}

/** Runs one write; an error is its own unless it ended the transaction. */
function* tried(
  { connection }: OpenTransaction,
  write: WaitingWrite,
  transaction: SharedTransaction,
): Generator<void, Settlement> {
  try {
    return yield* write.run(transaction);
  } catch (error) {
    if (!connection.inTransaction) throw error;
    return { keep: false, settle: () => write.reject(orUnavailable(error)) };
  }
}

function* inSavepoint(
  open: OpenTransaction,
  write: WaitingWrite,
  transaction: SharedTransaction,
): Generator<void, () => void> {
  const { connection } = open;
  connection.run(SAVEPOINT);
  const { keep, settle } = yield* tried(open, write, transaction);
  if (keep) {
    transaction.kept();
  } else {
    connection.run(ROLLBACK_TO);
    transaction.takenBack();
  }
  connection.run(RELEASE);
  return settle;
}

function* runSteps<Result>(
  connection: SqliteConnection,
  transaction: SharedTransaction,
  steps: Steps<Result>,
): Generator<void, Result> {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    if (step.value === PAUSE) {
      yield;
      step = steps.next(NO_ANSWER);
    } else {
      const answer = answerAtOnce(step.value, (statement) => {
        const each = connection.run(statement);
        if (each.changes > 0) transaction.changed();
        return each;
      });
      step = steps.next(answer);
    }
  }
  return step.value;
}
