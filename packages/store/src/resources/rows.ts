/**
 * Rows of the table of resources as resources.
 * @module
 */
import type { InverseValue, ReferenceValue, StoredResource, StoredText } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { type Row, textOf } from "../steps.ts";

/** Columns that make a resource, of the table named `r`. */
export const RESOURCE_COLUMNS: Sql = sql`r.id, r.connection, r.version, r.created, r.last_modified, r.body`;

/** The live resources of a type, as a table named `r` with its condition. */
export function liveResources(tenant: string, type: string): Sql {
  return sql`resources r WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.deleted IS NULL`;
}

/** Values that are read with a resource, by attribute path. */
export interface RelatedValues {
  readonly collections: ReadonlyMap<string, readonly ReferenceValue[]>;
  readonly inverses: ReadonlyMap<string, readonly InverseValue[]>;
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** Makes a resource of its row and what was read with it. */
export type MadeOfRow<Resource> = (type: string, row: Row, related?: RelatedValues) => Resource;

/** A resource whose body is read. */
export const resourceOf: MadeOfRow<StoredResource> = (type, row, related) => ({
  type,
  id: textOf(row, "id"),
  connection: textOf(row, "connection"),
  version: textOf(row, "version"),
  created: textOf(row, "created"),
  lastModified: textOf(row, "last_modified"),
  body: parseObject(textOf(row, "body")),
  collections: related?.collections ?? NOTHING,
  inverses: related?.inverses ?? NOTHING,
});

/** A resource whose body stays text. */
export const storedTextOf: MadeOfRow<StoredText> = (type, row, related) => ({
  type,
  id: textOf(row, "id"),
  connection: textOf(row, "connection"),
  version: textOf(row, "version"),
  created: textOf(row, "created"),
  lastModified: textOf(row, "last_modified"),
  text: textOf(row, "body"),
  collections: related?.collections ?? NOTHING,
  inverses: related?.inverses ?? NOTHING,
});

/**
 * Reads what `Dialect.jsonMember` answers, where it is text: the JSON of the member, or of the object that has it.
 */
export function memberText(json: SqlValue | undefined, name: string): string | null {
  if (typeof json !== "string") return null;
  const value: unknown = JSON.parse(json);
  const member: unknown =
    typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : value;
  return typeof member === "string" ? member : null;
}

/** Reads JSON that this store wrote. */
export function parseObject(text: string): JsonObject {
  // Any JSON text is a JSON value.
  const value = JSON.parse(text) as JsonValue;
  if (!isJsonObject(value)) throw new TypeError("A JSON object was expected in the database");
  return value;
}
