/**
 * Errors of opening and migrating a database. What goes wrong in an operation is a `ScimError`.
 * @module
 */

/**
 * Causes of a `StoreError`.
 * - `migrationChanged`: a migration that was applied to the database reads differently in this program.
 * - `databaseTooNew`: the database was migrated by a newer program that this one must not write to.
 * - `migrationUnreadable`: the migrations of this program are missing or misnamed.
 * - `migrationPending`: the database lacks migrations of this program, and opening was told not to apply them.
 * - `databaseUnusable`: the database cannot be opened, locked or read.
 */
export type StoreErrorCode =
  | "migrationChanged"
  | "databaseTooNew"
  | "migrationUnreadable"
  | "migrationPending"
  | "databaseUnusable";

/** A database that cannot be used, with what to do about it. Match on `code`. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
