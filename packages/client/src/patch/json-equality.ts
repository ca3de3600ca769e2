/**
 * Whether JSON values say the same, and what they say at all (RFC 7643 §2.5).
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Whether two values are equal; the order of members does not matter, that of lists does. */
export function isEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    return (
      isJsonArray(right) &&
      left.length === right.length &&
      left.every((each, index) => isEqual(each, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

/** A value without what says nothing: null, empty lists, empty objects. Undefined where nothing is left. */
export function assigned(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  if (isJsonArray(value)) {
    const values = value.map(assigned).filter((each) => each !== undefined);
    return values.length === 0 ? undefined : withoutRepetition(values);
  }
  if (!isJsonObject(value)) return value;
  // A Date, say, which programs without types may give: JSON writes what it makes of itself.
  if (typeof value["toJSON"] === "function") return assigned(JSON.parse(JSON.stringify(value)) as JsonValue);
  const members = Object.entries(value).flatMap(([name, each]) => {
    const kept = assigned(each);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** A member by its name, in any letter case. */
export function memberNamed(value: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(value, name)) return value[name];
  const folded = name.toLowerCase();
  const key = Object.keys(value).find((each) => each.toLowerCase() === folded);
  return key === undefined ? undefined : value[key];
}

function withoutRepetition(values: readonly JsonValue[]): readonly JsonValue[] {
  const texts = new Set<string>();
  return values.filter((value) => {
    const text = JSON.stringify(value);
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}
