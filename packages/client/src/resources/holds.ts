/**
 * Whether a resource is what was sent.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Whether a resource holds what was sent. What the service adds, and what it never returns, does not count. */
export function holds(resource: JsonObject, sent: JsonObject): boolean {
  return Object.entries(sent).every(([name, value]) => {
    const found = memberOf(resource, name);
    return found === undefined || isCovered(found, value);
  });
}

function isCovered(found: JsonValue, sent: JsonValue): boolean {
  if (isJsonObject(sent)) {
    return isJsonObject(found) && holds(found, sent);
  }
  if (isJsonArray(sent)) {
    return isJsonArray(found) && sent.every((each) => found.some((other) => isCovered(other, each)));
  }
  return typeof sent === "string" && typeof found === "string"
    ? found.toLowerCase() === sent.toLowerCase()
    : found === sent;
}

/** A member by its name, in any letter case. */
export function memberOf(value: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(value, name)) return value[name];
  const key = Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : value[key];
}
