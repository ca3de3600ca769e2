/**
 * The BulkRequest and BulkResponse messages (RFC 7644 §3.7).
 * @module
 */
import type { JsonObject } from "../json.ts";

/** One operation of a bulk request. */
export interface BulkOperation {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Name that other operations use for what a POST makes, as `bulkId:<name>`; required for POST. */
  readonly bulkId?: string;
  /** Raw or weak entity tag that the resource must still have. */
  readonly version?: string;
  /** Path below the base address: `/Users` for POST, else `/Users/<id>`. */
  readonly path: string;
  /** The body of the request; required unless the method is DELETE. */
  readonly data?: JsonObject;
}

/** Many operations in one request (RFC 7644 §3.7). */
export interface BulkRequest {
  readonly schemas: readonly string[];
  /** Number of failures after which the rest is not tried: 1 or more. Default: everything is tried. */
  readonly failOnErrors?: number;
  readonly Operations: readonly BulkOperation[];
}

/** What became of one operation. */
export interface BulkOperationResult {
  readonly method: BulkOperation["method"];
  readonly bulkId?: string;
  /** Entity tag of the resource as it is now. */
  readonly version?: string;
  /** Address of the resource; absent where a POST failed. */
  readonly location?: string;
  /** The HTTP status, as a string. */
  readonly status: string;
  /** The Error message where the operation failed. */
  readonly response?: JsonObject;
}

/** What became of a bulk request, in the order of its operations (RFC 7644 §3.7.3). */
export interface BulkResponse {
  readonly schemas: readonly string[];
  readonly Operations: readonly BulkOperationResult[];
}
