/**
 * What resources hold of others beside a reference to them: a display name, and whatever else a client sent along.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** Sub-attributes of a reference that tell nothing of who is referred to. */
const TELLING_NOTHING: ReadonlySet<string> = new Set(["value", "$ref", "type", "primary"]);

/** A resource's JSON in which nothing stands beside references to an id; the same object where nothing did. */
export function withoutCopies(body: JsonObject, id: string): JsonObject {
  // What a resource and its extensions have are attributes of its own, also where one of them is named `value`.
  return eachMember(body, (value, name) =>
    name.includes(":") && isJsonObject(value) ? withoutCopies(value, id) : cleaned(value, id),
  );
}

/** A complex value: where it refers to the id, what tells nothing is all that stays. */
function withoutDetailsOf(object: JsonObject, id: string): JsonObject {
  const refers = object["value"] === id;
  return eachMember(object, (value, name) =>
    refers && !TELLING_NOTHING.has(name) ? undefined : cleaned(value, id),
  );
}

/** An object of what becomes of its members, of which some may go; the same one where nothing does. */
function eachMember(
  object: JsonObject,
  become: (value: JsonValue, name: string) => JsonValue | undefined,
): JsonObject {
  let changed = false;
  const copy: Record<string, JsonValue> = {};
  for (const [name, before] of Object.entries(object)) {
    const value = become(before, name);
    changed ||= value !== before;
    // A name may be `__proto__`: it is a member like every other.
    if (value !== undefined)
      Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return changed ? copy : object;
}

function cleaned(value: JsonValue, id: string): JsonValue {
  if (isJsonObject(value)) return withoutDetailsOf(value, id);
  if (!isJsonArray(value)) return value;
  const values = value.map((each) => cleaned(each, id));
  return values.some((each, index) => each !== value[index]) ? values : value;
}

/** The other sub-attributes of a reference, without what tells of who is referred to; null where nothing does. */
export function withoutDetails(rest: JsonObject): JsonObject | null {
  const kept = Object.entries(rest).filter(([name]) => TELLING_NOTHING.has(name));
  return kept.length === Object.keys(rest).length ? null : Object.fromEntries(kept);
}
