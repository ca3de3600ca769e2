/**
 * What administration refuses, and why.
 * @module
 */
import type { ConnectionName } from "../connections/connection.ts";

/**
 * - `invalid`: what was asked for has not the form that it must have;
 * - `notFound`: there is no such tenant, connection or token;
 * - `exists`: there is one of this name, or was;
 * - `changed`: it was changed since it was read;
 * - `refused`: its present state does not allow it.
 */
export type TenancyErrorCode = "invalid" | "notFound" | "exists" | "changed" | "refused";

/** A refusal; its message is a sentence for people that says what to do. */
export class TenancyError extends Error {
  override readonly name = "TenancyError";
  readonly code: TenancyErrorCode;
  /** Of what was changed meanwhile: the revision that it has now; else null. */
  readonly revision: number | null;

  constructor(code: TenancyErrorCode, message: string, revision: number | null = null) {
    super(message);
    this.code = code;
    this.revision = revision;
  }
}

/** How often a change without a stated revision is tried again, where others change the same row. */
export const CHANGE_ATTEMPTS = 8;

/** The refusal of a change that was stated for another revision. */
export function changedMeanwhile(what: string, revision: number): TenancyError {
  return new TenancyError(
    "changed",
    `${what} was changed meanwhile; its revision is ${revision} now.`,
    revision,
  );
}

/** The refusal of what is meant for a connection that is not there. */
export function noSuchConnection({ tenant, connection }: ConnectionName): TenancyError {
  return new TenancyError("notFound", `Tenant '${tenant}' has no connection '${connection}'.`);
}
