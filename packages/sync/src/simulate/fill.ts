/**
 * Puts what is known in the place of placeholders.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

const PLACEHOLDER = /\{([a-z]+(?:\.id)?)\}/g;

/** What stands for placeholders. */
export type Known = ReadonlyMap<string, string>;

/** The first placeholder of a step's texts for which nothing is known yet; null where all is known. */
export function unknownIn(value: JsonValue, known: Known): string | null {
  for (const [, name = ""] of JSON.stringify(value).matchAll(PLACEHOLDER)) if (!known.has(name)) return name;
  return null;
}

/** A path, in which values are percent-encoded: ids are whatever a service says. */
export function fillPath(path: string, known: Known): string {
  return path.replaceAll(PLACEHOLDER, (whole, name: string) => encodeURIComponent(known.get(name) ?? whole));
}

/** JSON with its strings filled; its structure stays, whatever the values are. */
export function fillJson(value: JsonValue, known: Known): JsonValue {
  if (typeof value === "string")
    return value.replaceAll(PLACEHOLDER, (whole, name: string) => known.get(name) ?? whole);
  if (isJsonArray(value)) return value.map((each) => fillJson(each, known));
  return isJsonObject(value) ? fillObject(value, known) : value;
}

/** The same of an object. */
export function fillObject(value: JsonObject, known: Known): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillJson(each, known)]));
}
