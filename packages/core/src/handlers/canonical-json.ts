/**
 * JSON in its one canonical form (RFC 8785): members ordered by UTF-16 code units, no white space.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";

/** The canonical text of a value (RFC 8785): equal for equal values, whatever the order of their members. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
