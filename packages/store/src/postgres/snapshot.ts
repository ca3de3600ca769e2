/**
 * Reads that take long: each has a connection of its own, in a transaction that sees one state of the database.
 * @module
 */
import { NO_ANSWER, type SnapshotReader, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { PostgresConnection } from "./connection.ts";
import { isOfSessionLimit, tellable } from "./failures.ts";
import { runReads } from "./read.ts";
import type { LentConnection, SessionPool } from "./session-pool.ts";

/** The long reads of a database: a bounded number. */
export class SnapshotPool {
  readonly #pool: SessionPool;
  readonly #limit: number;
  /** How many are open, or will be when they have a connection. */
  #count = 0;
  readonly #open = new Set<OpenState>();
  readonly #ofRequests: SessionPool;
  /** Whether one of them has a session of requests. */
  #borrows = false;

  /** @param ofRequests lends a session where the server has no more, so that long reads are not refused for as long as requests come */
  constructor(pool: SessionPool, limit: number, ofRequests: SessionPool) {
    this.#pool = pool;
    this.#limit = limit;
    this.#ofRequests = ofRequests;
  }

  /** @throws ScimError `unavailable` where as many are open as may be, and after close */
  async open(signal: AbortSignal | undefined): Promise<SnapshotReader> {
    signal?.throwIfAborted();
    if (this.#count >= this.#limit) throw unavailable("Too many long reads are under way. Try again.");
    this.#count += 1;
    try {
      const lent = await this.#acquire();
      const state = stateOf(lent, signal, () => {
        this.#count -= 1;
        this.#open.delete(state);
      });
      this.#open.add(state);
      // Who waited for a connection may have it behind the end.
      if (this.#pool.isClosed) await state.end();
      return state;
    } catch (error) {
      this.#count -= 1;
      throw error;
    }
  }

  async #acquire(): Promise<LentConnection> {
    try {
      return await this.#pool.acquire();
    } catch (error) {
      // Requests keep one session at least.
      const mayBorrow = !this.#borrows && this.#ofRequests.load.open > 1;
      if (!mayBorrow || !(error instanceof Error) || !isOfSessionLimit(error.cause)) throw error;
    }
    this.#borrows = true;
    const giveBack = (): void => {
      this.#borrows = false;
    };
    try {
      const { connection, release } = await this.#ofRequests.acquire();
      return {
        connection,
        release: () => {
          giveBack();
          release();
        },
      };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Opens no more, and ends all that are open; who waits for them is told so. */
  async close(): Promise<void> {
    const closed = this.#pool.close();
    await Promise.all([...this.#open].map((state) => state.end()));
    await closed;
  }
}

/** A state that is open. */
interface OpenState extends SnapshotReader {
  /** Ends it, whatever it does. */
  readonly end: () => Promise<void>;
}

function stateOf(
  { connection, release }: LentConnection,
  signal: AbortSignal | undefined,
  onClose: () => void,
): OpenState {
  const ended = new AbortController();
  const either = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let closing: Promise<void> | null = null;
  // Steps of one reader run one after another: they share a connection.
  let turn: Promise<unknown> = Promise.resolve();

  async function finish(): Promise<void> {
    await turn.catch(() => undefined);
    if (connection.inTransaction && !connection.isBroken) await connection.endTransaction();
    release();
    onClose();
  }

  const close = (): Promise<void> => (closing ??= finish());
  return {
    run: async (steps) => {
      either.throwIfAborted();
      // The connection may be another's by now.
      if (closing !== null) throw unavailable("The state of the database is closed.");
      const next = turn.catch(() => undefined).then(() => runOn(connection, steps, either));
      turn = next;
      return next;
    },
    close,
    end: () => {
      ended.abort(unavailable("The store is closed."));
      return close();
    },
  };
}

async function runOn<Result>(
  connection: PostgresConnection,
  steps: Steps<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    const started = { steps, step: steps.next(NO_ANSWER), sameState: true, answered: false };
    return await runReads(connection, started, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw tellable(error);
  }
}
