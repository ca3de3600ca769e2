/**
 * Tests values of answers.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { fillJson, type Known } from "./fill.ts";
import type { Check, PathSegment } from "./scenario.ts";

/** Whether a check holds of a body; null stands for a body that is no JSON. */
export function holds({ at, is, expected = null }: Check, body: JsonValue, known: Known): boolean {
  const value = at.reduce<JsonValue | undefined>(
    (within, segment) => memberOf(within, fillSegment(segment, known)),
    body,
  );
  const wanted = fillJson(expected, known);
  switch (is) {
    case "present":
      return !isAbsent(value);
    case "absent":
      return isAbsent(value);
    case "equal":
      return isSame(value, wanted);
    case "equalOrAbsent":
      return isAbsent(value) || isSame(value, wanted);
    case "number":
      return typeof value === "number";
    case "list":
      return isJsonArray(value);
    case "listOrAbsent":
      return value === undefined || isJsonArray(value);
    case "values":
      return isSameSet(valuesOf(value), isJsonArray(wanted) ? wanted : []);
    case "withoutNulls":
      return !hasNull(body);
  }
}

/** Null and an empty list say that there is no value (RFC 7643 §2.5). */
function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || (isJsonArray(value) && value.length === 0);
}

function fillSegment(segment: PathSegment, known: Known): PathSegment {
  // What is filled is of the kind that it was.
  return typeof segment === "number" ? segment : (fillJson(segment, known) as string | JsonObject);
}

function memberOf(within: JsonValue | undefined, segment: PathSegment): JsonValue | undefined {
  if (typeof segment === "string") {
    if (within === undefined || !isJsonObject(within)) return undefined;
    // Names of attributes are compared in any letter case (RFC 7643 §2.1).
    const lower = segment.toLowerCase();
    return Object.entries(within).find(([name]) => name.toLowerCase() === lower)?.[1];
  }
  if (within === undefined || !isJsonArray(within)) return undefined;
  if (typeof segment === "number") return within[segment];
  return within.find((element) =>
    Object.entries(segment).every(([name, value]) => isSame(memberOf(element, name), value)),
  );
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || !isJsonArray(value)) return [];
  return value.map((element) => memberOf(element, "value") ?? null);
}

function isSameSet(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  const texts = new Set(left.map((each) => JSON.stringify(each)));
  return left.length === right.length && right.every((each) => texts.has(JSON.stringify(each)));
}

function hasNull(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.some(hasNull);
  return isJsonObject(value) ? Object.values(value).some(hasNull) : value === null;
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
