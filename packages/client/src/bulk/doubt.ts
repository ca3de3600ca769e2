/**
 * Whether nobody knows what became of the operations of a bulk request.
 * @module
 */
import { InvalidAnswerError } from "../errors/answer-error.ts";
import { UnknownOutcomeError } from "../errors/connection-error.ts";
import type { ScimClientError } from "../errors/scim-client-error.ts";
import { ServiceError } from "../errors/service-error.ts";

/** Statuses by which a service says that it has not begun. */
const NOT_BEGUN: ReadonlySet<number> = new Set([501, 503]);

/**
 * The doubt that the failure of a bulk request leaves; null where none of its operations was done. A job is no transaction
 * (RFC 7644 §3.7): a service that failed on the way, or answers with what is no bulk response, has done any part of it.
 */
export function doubtOf(failure: ScimClientError): UnknownOutcomeError | null {
  if (failure instanceof UnknownOutcomeError) return failure;
  const isHalfDone =
    (failure instanceof ServiceError && failure.status >= 500 && !NOT_BEGUN.has(failure.status)) ||
    (failure instanceof InvalidAnswerError && failure.code !== "redirected");
  const { request } = failure;
  if (!isHalfDone || request === null) return null;
  return new UnknownOutcomeError("nobody knows what of the job was done", { request, cause: failure });
}
