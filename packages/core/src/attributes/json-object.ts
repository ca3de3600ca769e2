/**
 * JSON objects whose member names a client chose: reading and copying without touching prototypes.
 * @module
 */
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";

/** A JSON object under construction. Its names come from schemas, never from a client. */
export interface MutableObject {
  [name: string]: MutableValue;
}

/** A JSON value under construction. */
export type MutableValue = string | number | boolean | null | MutableValue[] | MutableObject;

/** Whether a value under construction is an object. */
export function isMutableObject(value: MutableValue | undefined): value is MutableObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of an object's own, or undefined. */
export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * The member of a lower-case name, spelled in any letter case. `place` stands before the name in the message.
 * @throws ScimError `invalidSyntax` where there are two: what reads a message on its way may have taken the other one
 */
export function memberOf(object: JsonObject, lowerName: string, place = ""): JsonValue | undefined {
  let found: string | null = null;
  for (const name of Object.keys(object)) {
    // Every operation of a PATCH passes here: most names differ in length already.
    if (name.length !== lowerName.length || name.toLowerCase() !== lowerName) continue;
    if (found !== null) {
      const member = `${place}${lowerName}`;
      throw new ScimError(
        "invalidSyntax",
        `Member '${member}' may occur once only, in whatever letter case.`,
      );
    }
    found = name;
  }
  return found === null ? undefined : object[found];
}

/** The member of an object's own under construction, or undefined. */
export function ownMutable(object: MutableObject, name: string): MutableValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A deep copy that may be changed. */
export function copy(value: JsonValue): MutableValue {
  if (typeof value !== "object" || value === null) return value;
  return isJsonObject(value) ? copyObject(value) : value.map(copy);
}

/** A deep copy of an object that may be changed. */
export function copyObject(object: JsonObject): MutableObject {
  const result: MutableObject = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) result[name] = copy(value);
  }
  return result;
}

/** The value at the end of a path of member names, or undefined. */
export function valueAt(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of keys) {
    if (!isJsonObject(value)) return undefined;
    value = own(value, key);
  }
  return value;
}
