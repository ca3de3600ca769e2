/**
 * A resource as a record asks for it: what the record does not name stays as it is.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** A resource with what a record says. Values of a list that name the same `value` go on with what else they have. */
export function mergedRecord(resource: JsonObject, record: JsonObject): JsonObject {
  const merged = new Map(Object.entries(resource));
  for (const [name, value] of Object.entries(record)) merged.set(name, mergedValue(resource[name], value));
  return Object.fromEntries(merged);
}

function mergedValue(before: JsonValue | undefined, after: JsonValue): JsonValue {
  if (before === undefined) return after;
  if (isJsonObject(before) && isJsonObject(after)) {
    // What was known of another reference says nothing of this one.
    const isOther = after["value"] !== undefined && before["value"] !== after["value"];
    return isOther ? after : mergedRecord(before, after);
  }
  if (!isJsonArray(before) || !isJsonArray(after)) return after;
  const known = new Map(
    before.flatMap((each) => (isJsonObject(each) ? [[each["value"], each] as const] : [])),
  );
  return after.map((each) => {
    const same = isJsonObject(each) && each["value"] !== undefined ? known.get(each["value"]) : undefined;
    return same === undefined || !isJsonObject(each) ? each : mergedRecord(same, each);
  });
}
