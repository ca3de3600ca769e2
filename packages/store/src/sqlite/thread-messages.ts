/**
 * What a reader thread is asked, and what it answers: plain data.
 * @module
 */
import type { Sieve, Sifted } from "../query/sift.ts";
import type { Sql } from "../sql.ts";
import type { Answer } from "../steps.ts";

/** What a thread works on. */
export interface ReaderSettings {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockWait: number;
  /** Whether the thread writes, too; otherwise it only reads. */
  readonly writes?: boolean;
}

/** One thing to do. A thread is asked for the next when it has answered. */
export type ThreadRequest =
  | { readonly kind: "run"; readonly statement: Sql }
  | { readonly kind: "sift"; readonly query: Sql; readonly sieve: Sieve };

/** What came of it. */
export type ThreadReply =
  | { readonly kind: "ran"; readonly answer: Answer }
  | { readonly kind: "sifted"; readonly sifted: Sifted }
  | ThreadFailure;

/** That a thread could not do what it was asked. */
export interface ThreadFailure {
  readonly kind: "failed";
  readonly message: string;
  /** SQLite's result code; 0 for other errors. */
  readonly errcode: number;
}

/** What a thread says of an error: errors lose what they hold beside their message on the way to another thread. */
export function threadFailure(error: unknown): ThreadFailure {
  if (!(error instanceof Error)) return { kind: "failed", message: String(error), errcode: 0 };
  const errcode = "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
  return { kind: "failed", message: error.message, errcode };
}

/** An error of the database in a thread, with SQLite's result code; 0 for other errors. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly errcode: number;

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}
