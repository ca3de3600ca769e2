/**
 * Changes as they stand below `/.dry-run`: with the same input, and one answer.
 * @module
 */
import type { ResourceOperation } from "@scim/schemas";
import type { Operation } from "./document-types.ts";
import { DRY_RUN_ANSWER, type Describing } from "./operations.ts";
import { resourceOperations, type ItemOperations, type Subject } from "./resource-operations.ts";

/** The changes of one resource as dry runs. */
export function triedOutOperations(
  subject: Subject,
  operations: ReadonlySet<ResourceOperation>,
  describing: Describing,
): ItemOperations {
  const { get: _read, ...changes } = resourceOperations(subject, operations, describing);
  return Object.fromEntries(
    Object.entries(changes).map(([method, operation]) => [method, triedOut(operation)]),
  );
}

/** An operation as a dry run: it answers one thing, or an error. */
export function triedOut(operation: Operation): Operation {
  const responses = Object.entries(operation.responses);
  const failures = responses.filter(([status]) => Number(status) >= 400);
  const canSucceed = failures.length < responses.length;
  return {
    ...operation,
    operationId: `dryRun.${operation.operationId}`,
    tags: ["Dry run"],
    summary: `${operation.summary}, tried out`,
    responses: { ...(canSucceed ? { 200: DRY_RUN_ANSWER } : {}), ...Object.fromEntries(failures) },
  };
}
