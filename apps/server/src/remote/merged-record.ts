/**
 * A resource as a record asks for it: what the record does not name stays as it is.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { pairedValues } from "./paired-values.ts";

/** A resource with what a record says. Values of a list that mean the same go on with what else they have. */
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
  const pairs = pairedValues(before, after);
  const isDecided = after.some((each) => isJsonObject(each) && each["primary"] === true);
  return after.map((each) => {
    const same = isJsonObject(each) ? pairs.get(each) : undefined;
    if (same === undefined || !isJsonObject(each)) return each;
    return mergedRecord(isDecided ? withoutPrimary(same) : same, each);
  });
}

/** Where a record says which value is primary, it says so of all of them: no two are (RFC 7643 §2.4). */
function withoutPrimary({ primary: _primary, ...others }: JsonObject): JsonObject {
  return others;
}
