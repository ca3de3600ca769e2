/**
 * The members of a resource that a PATCH gives another value.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { memberOf } from "../redaction/redact-value.ts";

/** Whole members alone: what is given a value inside one, or in an extension, is left out. */
export function replacedMembers(model: ResourceModel, body: JsonObject): JsonObject {
  const operations = memberOf(body, "operations") ?? [];
  const told = (isJsonArray(operations) ? operations : [operations]).filter(isJsonObject).flatMap(valuesOf);
  return Object.fromEntries(
    told.flatMap(([path, value]): [string, JsonValue][] => {
      const [name, prefix] = [path.toLowerCase(), `${model.schema.toLowerCase()}:`];
      const node = model.members.get(name.startsWith(prefix) ? name.slice(prefix.length) : name);
      return node === undefined || node.extension !== null ? [] : [[node.attribute.name, value]];
    }),
  );
}

/** What an operation gives values, by path: one, or those that its value names. */
function valuesOf(operation: JsonObject): readonly (readonly [path: string, value: JsonValue])[] {
  const [path, value] = [memberOf(operation, "path"), memberOf(operation, "value")];
  if (value === undefined) return [];
  if (typeof path === "string") return [[path, value]];
  return isJsonObject(value) ? Object.entries(value) : [];
}
