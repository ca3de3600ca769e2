/**
 * A resource as stores keep it.
 * @module
 */
import type { JsonObject } from "@scim/schemas";

/** One value of a reference collection. */
export interface ReferenceValue {
  /** The id that it names; compared case-exactly. */
  readonly value: string;
  /** Its other sub-attributes as sent (`type`, `display`), in the schema's spelling; never `$ref`. */
  readonly rest: JsonObject;
}

/** One value of an inverse collection: a resource that refers to this one. */
export interface InverseValue {
  /** Resource type and id of the referring resource. */
  readonly type: string;
  readonly id: string;
  /** What it shows as its name, where it has one. */
  readonly display: string | null;
  /** Whether it names this resource itself, or through another (nested groups). */
  readonly direct: boolean;
}

/** Stands for the version of a resource whose store cannot compare versions: no client is shown it. */
export const NO_VERSION = "";

/** A resource as stored. */
export interface StoredResource {
  readonly type: string;
  readonly id: string;
  /** The connection that created it. */
  readonly connection: string;
  /** Raw version of the last write: opaque, never repeated. {@link NO_VERSION} where the store compares none. */
  readonly version: string;
  /** Instants in UTC with milliseconds; empty text where the store does not know. */
  readonly created: string;
  readonly lastModified: string;
  /** Attribute values in normal form: without `id`, `meta`, `schemas`, collections and inverses. */
  readonly body: JsonObject;
  /** Values of the collections asked for, by attribute path, in the order of adding. */
  readonly collections: ReadonlyMap<string, readonly ReferenceValue[]>;
  /** Values of the inverses asked for, by attribute path, ordered by type and id. */
  readonly inverses: ReadonlyMap<string, readonly InverseValue[]>;
}

/** A resource as stored, for an answer that may not need its body read. */
export interface StoredText extends Omit<StoredResource, "body"> {
  /** The body as JSON without white space. */
  readonly text: string;
}
