/**
 * How an operation changes a sub-attribute of one value: `add` appends to a list, `remove` takes what it lists from one,
 * all else is about the whole of it (RFC 7644 §3.5.2.1, §3.5.2.2).
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import { distinct } from "../attributes/identity.ts";
import { ownMutable, type MutableObject, type MutableValue } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { assign, unassign } from "./mutability.ts";
import { listedIn, removeValues, valuesOf } from "./multi-valued.ts";
import type { PatchState, SetChange } from "./state.ts";

/** What an operation sets a sub-attribute to, in normal form. */
export interface PartChange {
  readonly op: SetChange["op"];
  readonly value: MutableValue;
}

/** Sets a sub-attribute of a complex value, in place. */
export function setPart(object: MutableObject, sub: AttributeNode, change: PartChange): void {
  assign(object, sub, nextPart(object, sub, change));
}

/** What a sub-attribute of a complex value comes to: what a list has stays in its place, and stays one. */
export function nextPart(object: MutableObject, sub: AttributeNode, { op, value }: PartChange): MutableValue {
  const current = ownMutable(object, sub.attribute.name);
  const isAppended = op === "add" && Array.isArray(current) && Array.isArray(value);
  return isAppended ? distinct(sub, [...current, ...value]) : value;
}

/**
 * How `remove` takes a sub-attribute from a complex value, in place.
 * @param listed values of a list that alone go; without them, or for what is no list, the sub-attribute goes
 */
export function removalOf(
  sub: AttributeNode,
  listed: JsonValue | undefined,
  state: PatchState,
): (object: MutableObject) => void {
  if (!sub.attribute.multiValued || listed === undefined || listed === null) {
    return (object) => {
      unassign(object, sub);
    };
  }
  const isListed = listedIn(sub, listed, state);
  return (object) => {
    removeValues(object, sub, isListed(valuesOf(object, sub)));
  };
}
