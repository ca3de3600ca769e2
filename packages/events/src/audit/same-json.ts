/**
 * Whether two values are the same JSON. Nearly all attributes of a change are, and their texts need not be made to tell.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Whether two values have one canonical form: the order of members means nothing, that of lists does. */
export function isSameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) {
    return left.length === right.length && left.every((value, index) => isSameJson(value, right[index]));
  }
  return isJsonObject(left) && isJsonObject(right) && areSameObjects(left, right);
}

function areSameObjects(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (Object.keys(right).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]));
}
