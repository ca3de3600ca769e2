/**
 * When two values are the same: member order means nothing, list order does, and in a value of a list a `primary` of
 * false is the same as none (RFC 7643 §2.3.8, §2.4).
 * @module
 */
import { comparisonKey } from "@scim/filter";
import { isJsonObject, isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import { own } from "./json-object.ts";

/** Whether two values of an attribute, in normal form, are the same. */
export function equalValues(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right)) {
    return left.length === right.length && left.every((value, index) => equalInList(value, right[index]));
  }
  return (
    isJsonObject(left) &&
    isJsonObject(right) &&
    isCoveredBy(left, right, () => false) &&
    isCoveredBy(right, left, () => false)
  );
}

/** Whether two values of a list, or what stands beside the `value` of them, are the same. */
export function equalInList(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return isJsonObject(left) && isJsonObject(right)
    ? isCoveredBy(left, right, isNoPrimary) && isCoveredBy(right, left, isNoPrimary)
    : equalValues(left, right);
}

/** Whether a member says what its absence says. */
type SaysNothing = (name: string, value: JsonValue | undefined) => boolean;

/** Only in a list can one value be the primary one: elsewhere a `primary` is a boolean like any other. */
const isNoPrimary: SaysNothing = (name, value) =>
  name === "primary" && (value === false || value === undefined);

/** Whether every member of one object stands with the same value in the other. */
function isCoveredBy(part: JsonObject, whole: JsonObject, saysNothing: SaysNothing): boolean {
  return Object.keys(part).every((name) => {
    const [value, other] = [own(part, name), own(whole, name)];
    return (saysNothing(name, value) && saysNothing(name, other)) || equalValues(value, other);
  });
}

/**
 * Whether a given value is the one that an attribute has. Of a dateTime the instant counts: many clients write it anew
 * when they send back what they read (RFC 7643 §2.3.5).
 */
export function isPresentValue(
  node: AttributeNode,
  present: JsonValue | undefined,
  given: JsonValue | undefined,
): boolean {
  return equalValues(present, given) || equalValues(inInstants(node, present), inInstants(node, given));
}

function inInstants(node: AttributeNode, value: JsonValue | undefined): JsonValue | undefined {
  if (isJsonArray(value)) return value.map((each: JsonValue) => inInstants(node, each) ?? null);
  if (isJsonObject(value)) {
    const parts = Object.entries(value).map(([name, part]): [string, JsonValue] => {
      const sub = node.subAttributes.get(name.toLowerCase());
      return [name, (sub === undefined ? part : inInstants(sub, part)) ?? null];
    });
    return Object.fromEntries(parts);
  }
  return (node.attribute.type === "dateTime" ? comparisonKey("dateTime", true, value) : undefined) ?? value;
}
