/**
 * What goes wrong on PostgreSQL: what passes when it is tried again, what passes by itself, and what does not.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { lackOrRightOf, tablesOf } from "../missing-tables.ts";
import { unavailable } from "../unavailable.ts";
import { readMigrations } from "./migrations.ts";

/** An error of the server or of the connection to it, while statements ran. */
export class DatabaseFailure extends Error {
  override readonly name = "DatabaseFailure";
  override readonly cause: Error;
  /** Which statement failed, from 0; those behind it were not carried out. */
  readonly index: number;
  /** SQLSTATE of the server; null where it said nothing. */
  readonly code: string | null;
  /** Whether the connection is gone, so that what was sent last may have been carried out or not. */
  readonly isLost: boolean;

  constructor(cause: Error, index: number) {
    super(cause.message);
    this.cause = cause;
    this.index = index;
    this.code = stateOf(cause);
    this.isLost = this.code === null || severityOf(cause) === "FATAL" || severityOf(cause) === "PANIC";
  }
}

/**
 * A commit that the server told as done on a connection whose statements were to be cancelled. One that waited for a
 * replica waits no more then: the write is kept here, and may be missing there.
 */
export class UnconfirmedCommit extends DatabaseFailure {}

/** Names of prepared statements: one that the session does not have, and one that it has already. */
const NAMES = ["26000", "42P05"];

/** Whether a pooler led to a session that another client prepared statements in, or none did. */
export function isOfNames(error: unknown): boolean {
  return error instanceof DatabaseFailure && NAMES.includes(error.code ?? "");
}

/**
 * A serialisation failure, a deadlock, or a name of a statement that the pooler did not keep: the transaction was taken
 * back, and may be tried again.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof DatabaseFailure)) return false;
  return error.code === "40001" || error.code === "40P01" || isOfNames(error);
}

/**
 * States that pass by themselves, by their beginning: connections (08), resources such as memory, disk and
 * sessions (53), cancellation and shutdown (57), system (58), locks (55P03), serialisation and deadlocks (40), a
 * server that only reads (25006), an authority that is being changed (28), and names of statements, which are given up.
 */
const PASSING = ["08", "25006", "28", "3D000", "40", "53", "55P03", "57", "58", ...NAMES];

/** SQLSTATE of a statement that was ended, and what callers are told: for which of the reasons, the server says in words alone. */
const CANCELLED = "57014";
const ENDED =
  "The database ended a statement: it took longer than it may (postgres.statementTimeout here, statement_timeout there), or somebody cancelled it. Try again.";

/** States of one that opens no session beside those that are open: of PostgreSQL, and of PgBouncer. */
const SESSION_LIMITS: ReadonlySet<unknown> = new Set(["53300", "08P01"]);

/** Whether a session was refused since there are as many as there may be. */
export function isOfSessionLimit(error: unknown): boolean {
  return SESSION_LIMITS.has(stateOf(error));
}

/** States of a server that takes no writes, and what callers are told. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["25006", "The database is read-only: nothing can be written now."],
  ["53100", "The disk of the database is full: nothing can be written now."],
  ["58030", "The disk of the database reports an error."],
]);

/** What a role lacks that a release has new tables for, since nobody granted it rights on them. */
const NO_RIGHTS =
  "The service has no rights on a table of its database: grant its role SELECT, INSERT, UPDATE and DELETE on all tables.";

/** What callers are told of an error of a server that takes no writes; null of another one. */
function refusalOf(error: unknown): string | null {
  const state = stateOf(error);
  // What statements of an application raise under this state is not of rights, and is for the application to answer.
  if (state === "42501" && error instanceof Error && "routine" in error && error.routine === "aclcheck_error")
    return NO_RIGHTS;
  return REFUSALS.get(state ?? "") ?? null;
}

/** Whether a server only reads. */
export function onlyReads(error: DatabaseFailure): boolean {
  return error.code === "25006";
}

/** Whether an error of the server says that it takes no writes. */
export function isRefusal(error: unknown): boolean {
  return refusalOf(error) !== null;
}

/** An error as callers are told: `unavailable` where it passes by itself, else as it is. */
export function tellable(error: unknown): unknown {
  if (error instanceof ScimError) return error;
  if (error instanceof DatabaseFailure) {
    const refusal = refusalOf(error.cause);
    if (refusal !== null) return unavailable(refusal, error.cause);
    const table = missingTable(error);
    if (table !== null) return unavailable(lackOrRightOf(table), error.cause);
    if (error.code === CANCELLED) return unavailable(ENDED, error.cause);
    if (error.isLost) return unavailable("The connection to the database was lost. Try again.", error.cause);
    if (PASSING.some((state) => error.code?.startsWith(state))) {
      return unavailable("The database cannot do this now. Try again.", error.cause);
    }
    return error.cause;
  }
  return error;
}

const UNDEFINED_TABLE = "42P01";

/** The table of the service that is not there; null for another error, and for a table of an application, which answers for it. */
function missingTable({ code, message }: DatabaseFailure): string | null {
  if (code !== UNDEFINED_TABLE) return null;
  // Languages put marks of their own round the name.
  const words = new Set(message.match(/\w+/g));
  return tablesOf(readMigrations()).find((table) => words.has(table)) ?? null;
}

/** Codes of the system are longer and hold other characters: `ECONNRESET`. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE that an error of the server bears. */
export function stateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error) || severityOf(error) === null) return null;
  return typeof error.code === "string" && SQLSTATE.test(error.code) ? error.code : null;
}

function severityOf(error: Error): string | null {
  return "severity" in error && typeof error.severity === "string" ? error.severity : null;
}
