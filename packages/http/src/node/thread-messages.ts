/**
 * What a thread that reads bodies is asked, and what it answers: plain data.
 * @module
 */
import type { BodyReading, FoundReferences, ReferenceBatch } from "@scim/core";
import type { ErrorCode, JsonValue } from "@scim/schemas";

/** A body to read. */
export interface BodyStart {
  readonly reading: BodyReading;
  readonly maxDepth: number;
  /** Most characters beside the lists, and of one value in them. */
  readonly maxHeld: number;
}

/** One thing to do. A thread is asked for the next when it has answered. */
export type BodyRequest =
  | { readonly kind: "begin"; readonly start: BodyStart }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" };

/** Values of a collection that were read. */
export interface ReadBatch {
  /** Attribute path. */
  readonly path: string;
  readonly batch: ReferenceBatch;
}

/** An error on its way to another thread. */
export interface SentError {
  readonly code: ErrorCode;
  readonly detail: string;
}

/** What was found in a list; errors as they are sent. */
export type SentFound = Omit<FoundReferences, "unreadable" | "invalid"> & {
  readonly unreadable: SentError | null;
  readonly invalid: SentError | null;
};

/** A body that was read. */
export interface ReadBody {
  /** What is not in a list that was read value by value: there an empty one stands. */
  readonly rest: JsonValue;
  readonly lists: readonly { readonly list: JsonValue; readonly found: SentFound }[];
}

/** What came of it. */
export type BodyReply =
  | { readonly kind: "read"; readonly batches: readonly ReadBatch[] }
  | { readonly kind: "done"; readonly body: ReadBody }
  | { readonly kind: "refused"; readonly error: SentError }
  | { readonly kind: "failed"; readonly message: string };
