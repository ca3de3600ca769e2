/**
 * JSON in its one canonical form (RFC 8785): members ordered by UTF-16 code units, no white space.
 * @module
 */
import { isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";

/** The canonical text of a value (RFC 8785): equal for equal values, whatever the order of their members. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return isJsonArray(value) ? arrayText(value) : objectText(value);
}

function arrayText(values: readonly JsonValue[]): string {
  let elements = "";
  for (const value of values) elements += `${elements === "" ? "" : ","}${canonicalJson(value)}`;
  return `[${elements}]`;
}

function objectText(object: JsonObject): string {
  let members = "";
  for (const name of orderedNames(object)) {
    // Every name comes from the object.
    members += `${members === "" ? "" : ","}${nameText(name)}:${canonicalJson(object[name] ?? null)}`;
  }
  return `{${members}}`;
}

/** Names by UTF-16 code units, as texts are compared. Many objects have them in that order already. */
function orderedNames(object: JsonObject): readonly string[] {
  const names = Object.keys(object);
  let last = "";
  for (const name of names) {
    if (name < last) return names.toSorted();
    last = name;
  }
  return names;
}

/** Names as JSON: nearly all are those of attributes, and come again and again. */
const nameTexts = new Map<string, string>();
const MOST_NAMES = 2000;
/** Characters of a name that is kept. */
const LONGEST_NAME = 200;

function nameText(name: string): string {
  const known = nameTexts.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (nameTexts.size < MOST_NAMES && name.length <= LONGEST_NAME) nameTexts.set(name, text);
  return text;
}
