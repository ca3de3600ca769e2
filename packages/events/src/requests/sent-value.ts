/**
 * Finds in a body what was sent for an attribute.
 * @module
 */
import type { SwitchName } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** What a tolerance of the forms of values is made use of by, in the place of one value or among several. */
const ASKS: ReadonlyMap<SwitchName, (sent: JsonValue) => boolean> = new Map([
  ["string-booleans", isOrHoldsString],
  ["string-numbers", isOrHoldsString],
  ["reference-as-string", isOrHoldsString],
  ["single-element-array", isJsonArray],
  ["nested-remove-value", isJsonObject],
  // It is made use of by the value of an operation, and not by the list of operations, which its path names.
  ["object-as-text", isOrHoldsString],
]);

/** Members of messages that hold resources, operations or values, and are no attributes. */
const OPERATIONS = "operations";
const DATA = "data";

/**
 * Finds the value that a body states for the path of an attribute, in a resource, in an operation of a PATCH, or in one of a bulk
 * job; undefined for none. Of several it is the first that asks for the tolerance.
 */
export type FindSent = (path: string, tolerance: SwitchName) => JsonValue | undefined;

/** Makes what finds values in a body. It is gone through once, whatever is looked for. */
export function sentValues(body: JsonValue): FindSent {
  const stated = [...statedIn(body, "")];
  const places = new Set(stated.map(([at]) => at));
  return (path, tolerance) => {
    const names = namesOf(path);
    const asks = ASKS.get(tolerance);
    const named = new Set([...places].filter((at) => isSame(at, names)));
    if (named.size === 0) return undefined;
    return stated.find(([at, value]) => named.has(at) && (asks === undefined || asks(value)))?.[1];
  };
}

/** Each value of a body below its names from the resource on; those of lists also one by one. */
function* statedIn(value: JsonValue, at: string): Iterable<readonly [at: string, value: JsonValue]> {
  if (at !== "") yield [at, value];
  if (isJsonArray(value)) for (const each of value) yield* statedIn(each, at);
  if (!isJsonObject(value)) return;
  for (const [member, held] of Object.entries(value)) {
    const below = joined(at, namesOf(member));
    if (below !== OPERATIONS || !isJsonArray(held)) yield* statedIn(held, below);
    else {
      yield [below, held];
      for (const operation of held) yield* statedByOperation(operation);
    }
  }
}

/** The same of an operation: of a bulk job, whose data are a message, or of a PATCH, whose path stands before its value. */
function* statedByOperation(operation: JsonValue): ReturnType<typeof statedIn> {
  if (!isJsonObject(operation)) return;
  const data = memberOf(operation, DATA);
  if (data !== undefined) yield* statedIn(data, "");
  const value = memberOf(operation, "value");
  if (value === undefined) return;
  const path = memberOf(operation, "path");
  yield* statedIn(value, typeof path === "string" ? namesOf(path) : "");
}

function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.entries(object).find(([member]) => member.toLowerCase() === name)?.[1];
}

/** The names of a path, without its filters and places in lists, in one spelling: `urn.a.user.emails.type`. */
function namesOf(path: string): string {
  return path
    .replace(/\[(?:[^"[\]]|"(?:[^"\\]|\\.)*")*\]/g, "")
    .replaceAll(":", ".")
    .toLowerCase();
}

function joined(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}

/** Whether two are names of one attribute; the URN of a schema stands before it, or may be left out. */
function isSame(one: string, other: string): boolean {
  if (isUrn(one) === isUrn(other)) return one === other;
  return isUrn(one) ? one.endsWith(`.${other}`) : other.endsWith(`.${one}`);
}

function isUrn(names: string): boolean {
  return names.startsWith("urn.");
}

function isOrHoldsString(sent: JsonValue): boolean {
  return typeof sent === "string" || (isJsonArray(sent) && sent.some((each) => typeof each === "string"));
}

/** Says what a redacted value is: `the string "False"`; of a pseudonym only that it is a string. */
export function describeValue(value: JsonValue): string {
  if (typeof value === "string")
    return /^~|\/~/.test(value) ? "a string" : `the string ${JSON.stringify(value)}`;
  if (typeof value === "number") return "a number";
  if (isJsonArray(value))
    return value.length === 1 ? "a list of one value" : `a list of ${value.length} values`;
  return isJsonObject(value) ? "an object" : String(value);
}
