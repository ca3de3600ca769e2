/**
 * The rows of a reference collection over all its owners, as the store reads them a page at a time.
 * @module
 */
import type { JsonObject } from "@scim/schemas";

/** Where a row stands: rows are ordered by owner, and those of one owner by position. */
export interface RowPlace {
  /** The id of the resource that holds it; ordered by code point. */
  readonly owner: string;
  /** A whole number from 1 that a row keeps as long as it is there. What is added later has a greater one. */
  readonly position: number;
  /** What the row that stands there refers to, where it is known: so it is found again where a handler counts positions anew. */
  readonly value?: string | undefined;
}

/** A row of a reference collection: who holds it, and what it refers to. */
export interface ReferenceRow extends RowPlace {
  /** What the owner shows as its name, where it has one. */
  readonly display: string | null;
  /** The id that it refers to. */
  readonly value: string;
  /** Its other sub-attributes as sent, in the schema's spelling; never `$ref`. */
  readonly rest: JsonObject;
}

/** Which rows of a collection. Rows of deleted owners are not among them, unless they are asked for. */
export interface ReferenceRowFilter {
  /** Name of the resource type that owns the collection, such as `Group`. */
  readonly type: string;
  /** Path of the collection in it, such as `members`. */
  readonly path: string;
  /** Only the rows of this owner; null for those of all. */
  readonly owner: string | null;
  /** Only the rows that refer to this id; null for all. */
  readonly value: string | null;
  /** Whether the rows of `owner` are asked for though it is deleted: see `DeletedResources`. Default false. */
  readonly ofDeleted?: boolean | undefined;
}

/** A page of rows. */
export interface ReferenceRowQuery extends ReferenceRowFilter {
  /** Member of the owner's JSON to give as `display`, or null. */
  readonly displayKey: string | null;
  /** Whether the last row comes first. */
  readonly descending: boolean;
  /** Begin behind this place, in the direction of the order; null for the beginning. No row needs to stand there. */
  readonly after: RowPlace | null;
  /** Rows to leave out at the start: 0 or more. */
  readonly offset: number;
  /** At most so many rows: 0 or more. */
  readonly limit: number;
}
