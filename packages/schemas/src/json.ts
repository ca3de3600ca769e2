/**
 * JSON values as types.
 * @module
 */

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Read its members with `Object.hasOwn` in mind: a client chose the names. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}
