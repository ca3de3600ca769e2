/**
 * What became of the operations of a bulk job.
 * @module
 */
import type { ScimClientError } from "../errors/scim-client-error.ts";

/** An operation that was done. */
export interface DoneOperation {
  readonly kind: "done";
  /** HTTP status; 201 for what was created, and found by a look-up. */
  readonly status: number;
  /** Id of the resource. */
  readonly id: string;
  /** Raw version of the resource as it is now; null where the service does not tell, and after DELETE. */
  readonly version: string | null;
}

/** An operation that failed. */
export interface FailedOperation {
  readonly kind: "failed";
  readonly error: ScimClientError;
}

/** An operation that was not tried, because others failed before, or the job was given up. */
export interface UntriedOperation {
  readonly kind: "untried";
}

/** What became of an operation. */
export type OperationOutcome = DoneOperation | FailedOperation | UntriedOperation;

/** An operation of a job. */
export interface BulkEntry {
  readonly bulkId: string;
  /** What stands for the id of the resource in other operations of the job: `bulkId:1`. */
  readonly reference: string;
}

/** What became of a job. */
export interface BulkOutcome {
  /** What became of one operation. */
  of(entry: BulkEntry): OperationOutcome;
  /** All outcomes, in the order of adding. */
  readonly outcomes: readonly OperationOutcome[];
  /** How many operations were done. */
  readonly done: number;
  /** How many failed. */
  readonly failed: number;
  /** How many requests it took: of bulk, or single ones where the service has no bulk or a request failed halfway; look-ups aside. */
  readonly requests: number;
  /** How many operations were looked up, or done by themselves, since nobody knew what became of the request they went in. */
  readonly settled: number;
}
