/**
 * When two values are the same: member order means nothing, list order does, and a `primary` of false
 * is the same as none (RFC 7643 §2.3.8, §2.4).
 * @module
 */
import { isJsonObject, isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "./json-object.ts";

/** Whether two values in normal form are the same. */
export function equalValues(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) {
    return left.length === right.length && left.every((value, index) => equalValues(value, right[index]));
  }
  return isJsonObject(left) && isJsonObject(right) && equalObjects(left, right);
}

function equalObjects(left: JsonObject, right: JsonObject): boolean {
  return coveredBy(left, right) && coveredBy(right, left);
}

/** Whether every member of one object stands with the same value in the other. */
export function coveredBy(part: JsonObject, whole: JsonObject): boolean {
  return Object.keys(part).every((name) => {
    const value = own(part, name);
    return (
      (name === "primary" && value === false && own(whole, name) !== true) ||
      equalValues(value, own(whole, name))
    );
  });
}
