/**
 * Unique values whose keys a database holds cut, whole again: found by what their resource says, whatever has an index.
 * @module
 */
import { type ComparableType, comparisonKey } from "@scim/filter";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { boundedKey } from "../bounded-key.ts";
import type { KeyForm, ReadKey } from "../dialect.ts";
import { parseObject } from "../resources/rows.ts";

/** The types whose keys are texts, and so can be long. */
const OF_TEXT: readonly ComparableType[] = ["string", "dateTime"];

/**
 * A function that tells the whole of a key as it was read, by the id of its resource: the key itself where it is not cut.
 * @param bodies texts of JSON by id, each read where a key of it is cut
 */
export function wholeKeys(
  keys: KeyForm,
  bodies: ReadonlyMap<string, string>,
): (id: string, key: ReadKey) => ReadKey {
  const found = new Map<string, ReadonlyMap<ReadKey, ReadKey>>();
  return (id, key) => {
    // What was cut is so long that it would be cut.
    if (boundedKey(keys, key) === key) return key;
    let wholes = found.get(id);
    if (wholes === undefined) {
      wholes = new Map(
        Array.from(keysIn(parseObject(bodies.get(id) ?? "{}")), (each) => [boundedKey(keys, each), each]),
      );
      found.set(id, wholes);
    }
    return wholes.get(key) ?? key;
  };
}

/** The keys that texts in a value have, with and without letter case. */
function* keysIn(value: JsonValue): Generator<string, void, undefined> {
  if (typeof value === "string") {
    yield value;
    for (const type of OF_TEXT) {
      const key = comparisonKey(type, false, value);
      if (typeof key === "string" && key !== value) yield key;
    }
  } else if (isJsonArray(value)) {
    for (const each of value) yield* keysIn(each);
  } else if (isJsonObject(value)) {
    for (const each of Object.values(value)) yield* keysIn(each);
  }
}
