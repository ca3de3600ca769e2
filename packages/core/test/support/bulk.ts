/**
 * Bulk jobs as clients send them.
 * @module
 */
import { BULK_REQUEST_URN, type JsonObject, type JsonValue, type ResourceOperation } from "@scim/schemas";
import type { BulkOperationAnswer, RequestContext, ScimService } from "../../src/index.ts";

/** The body of a bulk job. */
export function bulkBody(operations: JsonValue, members: JsonObject = {}): JsonObject {
  return { schemas: [BULK_REQUEST_URN], ...members, Operations: operations };
}

/** A POST. */
export function post(path: string, bulkId: string, data: JsonValue): JsonObject {
  return { method: "POST", path, bulkId, data };
}

/** What runs a job beside its operations. */
export interface JobOptions {
  readonly members?: JsonObject;
  readonly authorize?: (type: string, operation: ResourceOperation) => void;
}

/** Runs jobs of a service in one context. */
export type RunJob = (operations: JsonValue, options?: JobOptions) => Promise<readonly BulkOperationAnswer[]>;

/** Makes the function that runs jobs. */
export function jobRunner(service: ScimService, context: RequestContext): RunJob {
  return async (operations, { members = {}, authorize = () => undefined } = {}) => {
    const answer = await service.bulk(context, { body: bulkBody(operations, members), authorize });
    return answer.operations;
  };
}

/** Status and scimType of an operation: `201`, `400 invalidValue`. */
export function outcome({ status, error }: BulkOperationAnswer): string {
  return error?.scimType === undefined ? String(status) : `${String(status)} ${error.scimType}`;
}

/** Status and scimType of each operation. */
export function outcomes(answers: readonly BulkOperationAnswer[]): readonly string[] {
  return answers.map(outcome);
}

/** The id that ends the location of an answer. */
export function madeId(answer: BulkOperationAnswer | undefined): string {
  return answer?.location?.split("/").at(-1) ?? "";
}
