/**
 * One state of the database, read by a thread.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Sieve, Sifted } from "../query/sift.ts";
import type { Sql } from "../sql.ts";
import { type Answer, NO_ANSWER, PAUSE, isBatch, type SnapshotReader, type Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { LOOK } from "./connection.ts";
import { orUnavailable } from "./failures.ts";
import type { Reader } from "./reader.ts";
import type { ThreadRequest } from "./thread-messages.ts";

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };

/** Milliseconds that a statement may go on after its reader was closed, before its thread is ended. */
const PATIENCE_MS = 100;

/** A transaction on a thread that reads for nobody else. */
export class ThreadSnapshot implements SnapshotReader {
  readonly #reader: Reader;
  readonly #signal: AbortSignal | undefined;
  readonly #giveBack: (reader: Reader) => void;
  #closing: Promise<void> | null = null;

  /** `giveBack` is called when the thread reads no more for this state. */
  constructor(reader: Reader, signal: AbortSignal | undefined, giveBack: (reader: Reader) => void) {
    this.#reader = reader;
    this.#signal = signal;
    this.#giveBack = giveBack;
  }

  /** Begins. The state is the present one: whoever opens it knows whether that is on the disk. */
  async begin(): Promise<void> {
    await this.#run(BEGIN);
    await this.#run(LOOK);
  }

  async run<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) {
      if (step.value !== PAUSE && isBatch(step.value)) throw new TypeError("A reader has no batches");
      step = steps.next(step.value === PAUSE ? NO_ANSWER : await this.#run(step.value));
    }
    return step.value;
  }

  async sift(query: Sql, sieve: Sieve): Promise<Sifted> {
    const reply = await this.#ask({ kind: "sift", query, sieve });
    if (reply.kind !== "sifted") throw new TypeError("The thread answered something else");
    return reply.sifted;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #run(statement: Sql): Promise<Answer> {
    const reply = await this.#ask({ kind: "run", statement });
    if (reply.kind !== "ran") throw new TypeError("The thread answered something else");
    return reply.answer;
  }

  async #ask(request: ThreadRequest): ReturnType<Reader["ask"]> {
    const signal = this.#signal;
    signal?.throwIfAborted();
    if (this.#closing !== null) throw unavailable("The state of the database is closed.");
    const aborted = Promise.withResolvers<never>();
    const leave = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([this.#reader.ask(request), aborted.promise]);
    } catch (error) {
      throw orUnavailable(error);
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  async #close(): Promise<void> {
    const reader = this.#reader;
    try {
      if (reader.isBusy) await Promise.race([reader.settled(), delay(PATIENCE_MS, null, { ref: false })]);
      if (reader.isBusy) await reader.end(unavailable("The query was ended."));
      else await reader.ask({ kind: "run", statement: COMMIT });
    } catch {
      // Whatever became of the transaction, it ends with the thread.
      await reader.end(unavailable("The query was ended."));
    } finally {
      this.#giveBack(reader);
    }
  }
}
