/**
 * JSON values as types, and how to tell them apart.
 * @module
 */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Read its members with `Object.hasOwn` in mind: a client chose the names. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether a JSON value is a list. `Array.isArray` would make its values `any`. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a JSON value is an object, and neither null nor a list. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
