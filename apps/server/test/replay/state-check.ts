/**
 * Tests a JSON value as a state check of the table says.
 * @module
 */
import { expect } from "vitest";
import type { PathSegment, StateCheck } from "@scim/fixtures";
import type { JsonObject, JsonValue } from "@scim/schemas";

type Found = JsonValue | undefined;
type Test = (found: Found, expected: JsonValue) => void;

const TESTS: Readonly<Record<Exclude<StateCheck["test"], "gone">, Test>> = {
  eq: (found, expected) => expect(found).toEqual(expected),
  eqOrAbsent: (found, expected) => expect([undefined, expected]).toContainEqual(found),
  contains: (found, expected) => expect(found).toContainEqual(expected),
  present: (found) => expect(found ?? null).not.toBeNull(),
  absent: (found) => expect(isUnassigned(found)).toBe(true),
  count: (found, expected) => expect(found).toHaveLength(Number(expected)),
  countOrAbsent: (found, expected) => expect(found ?? []).toHaveLength(Number(expected)),
  type: (found, expected) => expect(typeof found).toBe(expected),
  startsWith: (found, expected) =>
    expect(JSON.stringify(found).startsWith(JSON.stringify(expected).slice(0, -1))).toBe(true),
  members: (found, expected) => expect(valuesOf(found)).toEqual(new Set(listOf(expected))),
  noNulls: (found) => expect(JSON.stringify(found)).not.toMatch(/(?<=[:[,])null(?=[,\]}])/),
};

/** Applies the test of a check to the value that it leads to. */
export function applyCheck(check: StateCheck, document: JsonValue): void {
  if (check.test === "gone") throw new TypeError("Whether a resource is gone is told by its status.");
  TESTS[check.test](valueAt(document, check.at), check.expected);
}

function valueAt(document: JsonValue, path: readonly PathSegment[]): Found {
  return path.reduce<Found>((value, segment) => step(value, segment), document);
}

function step(value: Found, segment: PathSegment): Found {
  if (typeof segment === "number") return listOf(value)[segment];
  if (typeof segment === "string") return isObject(value) ? value[segment] : undefined;
  return listOf(value).find((element) => isObject(element) && holds(element, segment));
}

function holds(element: JsonObject, members: JsonObject): boolean {
  return Object.entries(members).every(([name, value]) => element[name] === value);
}

/** Null, an empty list and absence are the same state (RFC 7643 §2.5). */
function isUnassigned(found: Found): boolean {
  return found === undefined || found === null || (Array.isArray(found) && found.length === 0);
}

function valuesOf(found: Found): ReadonlySet<Found> {
  return new Set(listOf(found).map((element) => (isObject(element) ? element["value"] : element)));
}

function listOf(value: Found): readonly JsonValue[] {
  // `Array.isArray` does not narrow readonly arrays.
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function isObject(value: Found): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
