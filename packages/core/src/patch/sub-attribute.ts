/**
 * How an operation sets a sub-attribute of one value: `add` appends to a list, all else takes the place of what is
 * there (RFC 7644 §3.5.2.1).
 * @module
 */
import { distinct } from "../attributes/identity.ts";
import { ownMutable, type MutableObject, type MutableValue } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { assign } from "./mutability.ts";
import type { SetChange } from "./state.ts";

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
