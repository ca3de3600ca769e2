/**
 * Reads that take long: each has a connection of its own, in a transaction that sees one state of the database.
 * @module
 */
import { NO_ANSWER, type SnapshotReader, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { PostgresConnection } from "./connection.ts";
import { tellable } from "./failures.ts";
import { runReads } from "./read.ts";
import type { LentConnection, SessionPool } from "./session-pool.ts";

/** The long reads of a database: a bounded number. */
export class SnapshotPool {
  readonly #pool: SessionPool;
  readonly #limit: number;
  #open = 0;

  constructor(pool: SessionPool, limit: number) {
    this.#pool = pool;
    this.#limit = limit;
  }

  /** @throws ScimError `unavailable` where as many are open as may be */
  async open(signal: AbortSignal | undefined): Promise<SnapshotReader> {
    signal?.throwIfAborted();
    if (this.#open >= this.#limit) throw unavailable("Too many long reads are under way. Try again.");
    this.#open += 1;
    try {
      const lent = await this.#pool.acquire();
      return readerOf(lent, { signal, onClose: () => (this.#open -= 1) });
    } catch (error) {
      this.#open -= 1;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

interface ReaderOptions {
  readonly signal: AbortSignal | undefined;
  readonly onClose: () => void;
}

function readerOf(
  { connection, release }: LentConnection,
  { signal, onClose }: ReaderOptions,
): SnapshotReader {
  let closing: Promise<void> | null = null;
  // Steps of one reader run one after another: they share a connection.
  let turn: Promise<unknown> = Promise.resolve();

  async function close(): Promise<void> {
    await turn.catch(() => undefined);
    if (connection.inTransaction && !connection.isBroken) await connection.endTransaction();
    release();
    onClose();
  }

  return {
    run: (steps) => {
      const next = turn.catch(() => undefined).then(() => runOn(connection, steps, signal));
      turn = next;
      return next;
    },
    close: () => (closing ??= close()),
  };
}

async function runOn<Result>(
  connection: PostgresConnection,
  steps: Steps<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    const started = { steps, step: steps.next(NO_ANSWER), sameState: true, answered: false };
    return await runReads(connection, started, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw tellable(error);
  }
}
