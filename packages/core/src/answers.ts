/**
 * What the operations of a service answer. No word of HTTP in here.
 * @module
 */
import type { JsonObject, JsonValue, PatchOperation, ScimError } from "@scim/schemas";

/** A collection of an answer that is too long to be held in memory. */
export interface StreamedCollection {
  /** Member names from the resource to the attribute: one, or an extension's URN and one. */
  readonly keys: readonly string[];
  /** Its values, in order, to be gone through once. The next batch is read when it is asked for. */
  readonly batches: AsyncIterable<readonly JsonValue[]>;
}

/**
 * The long collections of an answer, as they were at one moment. The state of the store that they are read from is held
 * until `close`, which must be called whether they were read or not.
 */
export interface AnswerStream {
  /** For each resource of the answer, in order, the collections that are missing in it. */
  readonly collections: readonly (readonly StreamedCollection[])[];
  /** More than once does no harm. */
  close(): Promise<void>;
}

/** A resource to answer with. */
export interface ResourceAnswer {
  readonly kind: "resource";
  readonly resource: JsonObject;
  /** JSON of `resource`; only where the request takes it so, and then `resource` is made of it on demand. */
  readonly text?: string | undefined;
  /** Raw version; the entity tag is `W/"<version>"`. Empty where resources of the type have none. */
  readonly version: string;
  readonly location: string;
  /** The collections that are missing in `resource`; only where the request takes streams. */
  readonly stream?: AnswerStream | undefined;
  /**
   * The change is done, but the collections that are missing in `resource` cannot be read now, so that it must not be sent;
   * only where the request takes streams.
   */
  readonly isPartial?: boolean | undefined;
}

/** The client's copy is current (304). */
export interface NotModifiedAnswer {
  readonly kind: "notModified";
  readonly version: string;
  readonly location: string;
}

/** The change is done, and the resource is too large to be sent along (204). */
export interface NoContentAnswer {
  readonly kind: "noContent";
  /** Raw version; empty where resources of the type have none. */
  readonly version: string;
  readonly location: string;
}

/** A page of resources (RFC 7644 §3.4.2, RFC 9865 §2). */
export interface ListAnswer {
  readonly kind: "list";
  /** How many match, over all pages; null on a page by cursor where counting would mean going through them all. */
  readonly totalResults: number | null;
  /** 1-based; null on a page that was asked for by cursor. */
  readonly startIndex: number | null;
  readonly resources: readonly JsonObject[];
  /** The collections that are missing in `resources`; only where the request takes streams. */
  readonly stream?: AnswerStream | undefined;
  /** Where to go on; null on the last page, and on pages by index. */
  readonly nextCursor: string | null;
  /** The page before; null on the first page, and on pages by index. */
  readonly previousCursor: string | null;
  /** How the filter was served; null where all of it went to the store. */
  readonly filterPlan: string | null;
}

/** What became of one operation of a bulk job. */
export interface BulkOperationAnswer {
  /** Upper case where it is POST, PUT, PATCH or DELETE; else the text that the client sent. */
  readonly method: string;
  readonly bulkId: string | null;
  /** Null for a POST that failed, and where the path names no resource. */
  readonly location: string | null;
  /** Raw version after a change; null where it failed or the resource is gone. */
  readonly version: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Null where the operation is done. A fault of the service is `internal`, and what led to it its cause. */
  readonly error: ScimError | null;
}

/** The operations of a bulk job that were tried, in the order of the request. */
export interface BulkAnswer {
  readonly kind: "bulk";
  readonly operations: readonly BulkOperationAnswer[];
}

/** What a change would have come to. Nothing was written. */
export interface DryRunAnswer {
  readonly kind: "dryRun";
  /** Whether the change would have been made. */
  readonly valid: boolean;
  /** HTTP status that the change would have been answered with. */
  readonly status: number;
  /**
   * The resource as it would be; null where the answer to the change has none. What only the write decides is left
   * out: `meta.version` and `meta.lastModified`, and of a new resource also `id`, `meta.created` and `meta.location`.
   */
  readonly resource: JsonObject | null;
  /**
   * What would change, as PATCH operations on the resource as it is (RFC 7644 §3.5.2); of a new resource, what is
   * added. Empty for a deletion, and where the change fails. Values that are never returned are not told. A type
   * that shows rows of another resource tells of that one.
   */
  readonly diff: readonly PatchOperation[];
  readonly error: ScimError | null;
}
