/**
 * What resources hold of others beside a reference to them: a display name, and whatever else a client sent along.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Sub-attributes of a reference that tell nothing of who is referred to. */
const TELLING_NOTHING: ReadonlySet<string> = new Set(["value", "$ref", "type", "primary"]);

/** A resource's JSON in which nothing stands beside references to an id; the same object where nothing did. */
export function withoutCopies(body: JsonObject, id: string): JsonObject {
  let changed = false;
  const copy: Record<string, JsonValue> = {};
  const refers = body["value"] === id;
  for (const [name, value] of Object.entries(body)) {
    if (refers && !TELLING_NOTHING.has(name)) {
      changed = true;
      continue;
    }
    const kept = cleaned(value, id);
    changed ||= kept !== value;
    // A name may be `__proto__`: it is a member like every other.
    Object.defineProperty(copy, name, { value: kept, enumerable: true, configurable: true, writable: true });
  }
  return changed ? copy : body;
}

function cleaned(value: JsonValue, id: string): JsonValue {
  if (isJsonObject(value)) return withoutCopies(value, id);
  if (!isJsonArray(value)) return value;
  const values = value.map((each) => cleaned(each, id));
  return values.some((each, index) => each !== value[index]) ? values : value;
}

/** The other sub-attributes of a reference, without what tells of who is referred to; null where nothing does. */
export function withoutDetails(rest: JsonObject): JsonObject | null {
  const kept = Object.entries(rest).filter(([name]) => TELLING_NOTHING.has(name));
  return kept.length === Object.keys(rest).length ? null : Object.fromEntries(kept);
}
