/**
 * JSON in its one canonical form (RFC 8785): members ordered by UTF-16 code units, no white space.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";

/** The canonical text of a value (RFC 8785): equal for equal values, whatever the order of their members. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  let members = "";
  // Without a comparer, texts are put in the order of UTF-16 code units.
  for (const name of Object.keys(value).toSorted()) {
    // Every name comes from the object.
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`;
  }
  return `{${members}}`;
}
