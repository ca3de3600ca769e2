/**
 * How many paths one PATCH of a bulk job may name: each is read to find the references of the operation, while all other
 * requests wait.
 * @module
 */
import { isJsonArray, isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { mentionsReference } from "./references.ts";

/** Most different paths, and members of values without a path. */
const MOST_NAMES = 1000;

/**
 * Checks the data of a PATCH that refers to other operations of its job.
 * @throws ScimError `payloadTooLarge`
 */
export function requireFewNames(data: JsonObject): void {
  if (!mentionsReference(data)) return;
  const names = new Set<string>();
  for (const operation of itemsOf(data, "operations")) {
    for (const name of namesOf(operation)) names.add(name);
    if (names.size > MOST_NAMES) {
      throw new ScimError(
        "payloadTooLarge",
        `A PATCH that refers to other operations of its job names ${MOST_NAMES} different paths at most: send it in several.`,
      );
    }
  }
}

/** The path of an operation, and the names of the members of its value where it has none. */
function namesOf(operation: JsonValue): readonly string[] {
  if (!isJsonObject(operation)) return [];
  const paths = itemsOf(operation, "path").filter((path) => typeof path === "string");
  if (paths.length > 0) return paths;
  return itemsOf(operation, "value").flatMap((value) => (isJsonObject(value) ? Object.keys(value) : []));
}

/** What the members of a lower-case name hold, lists and what some clients send for a list of one. Two are refused later. */
function itemsOf(object: JsonObject, lowerName: string): readonly JsonValue[] {
  return Object.entries(object)
    .filter(([name]) => name.toLowerCase() === lowerName)
    .flatMap(([, value]) => (isJsonArray(value) ? value : [value]));
}
