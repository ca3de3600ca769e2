/**
 * The union of the client's errors.
 * @module
 */
import type { InvalidAnswerError } from "./answer-error.ts";
import { ClientError } from "./client-error.ts";
import type { ConnectionError, UnknownOutcomeError } from "./connection-error.ts";
import type { CredentialsError } from "./credentials-error.ts";
import type { ServiceError, VersionConflictError } from "./service-error.ts";
import type { UsageError } from "./usage-error.ts";
import type { PagingError } from "./paging-error.ts";

/**
 * Every error that the client throws. `code` tells them apart, and narrows the type.
 *
 * @example
 * try {
 *   await client.users.create(input);
 * } catch (error) {
 *   if (!isScimClientError(error)) throw error;
 *   switch (error.code) {
 *     case "uniqueness": // a ServiceError
 *       return error.detail;
 *     case "versionMismatch": // a VersionConflictError
 *       return error.currentVersion;
 *     case "unknownOutcome": // an UnknownOutcomeError
 *       return error.candidates;
 *     default:
 *       return error.remedy;
 *   }
 * }
 */
export type ScimClientError =
  | ServiceError
  | VersionConflictError
  | InvalidAnswerError
  | ConnectionError
  | UnknownOutcomeError
  | CredentialsError
  | PagingError
  | UsageError;

/** Whether something that was thrown is an error of the client. */
export function isScimClientError(error: unknown): error is ScimClientError {
  return error instanceof ClientError;
}
