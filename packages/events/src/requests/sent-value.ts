/**
 * Finds in a body what was sent for an attribute.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";

/** The value that a body states for an attribute path, in a resource or in a PATCH operation; undefined for none. */
export function sentValue(body: JsonValue, path: string): JsonValue | undefined {
  const name = lastName(path);
  if (isJsonArray(body)) return firstOf(body, path);
  if (!isJsonObject(body)) return undefined;
  const target = body["path"];
  if (typeof target === "string" && lastName(target) === name && "value" in body) return body["value"];
  for (const [member, value] of Object.entries(body)) {
    if (lastName(member) === name) return value;
  }
  return firstOf(Object.values(body), path);
}

function firstOf(values: readonly JsonValue[], path: string): JsonValue | undefined {
  for (const value of values) {
    const found = sentValue(value, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The last name of a path, whatever stands before it: `value` of `emails[type eq "work"].value`. */
function lastName(path: string): string {
  const behind = path.slice(path.lastIndexOf("]") + 1) || path.slice(0, path.indexOf("["));
  return behind.slice(Math.max(behind.lastIndexOf("."), behind.lastIndexOf(":")) + 1).toLowerCase();
}

/** Says what a redacted value is: `the string "False"`; of a pseudonym only that it is a string. */
export function describeValue(value: JsonValue): string {
  if (typeof value === "string")
    return /^~|\/~/.test(value) ? "a string" : `the string ${JSON.stringify(value)}`;
  if (typeof value === "number") return "a number";
  if (isJsonArray(value))
    return value.length === 1 ? "a list of one value" : `a list of ${value.length} values`;
  return isJsonObject(value) ? "an object" : String(value);
}
