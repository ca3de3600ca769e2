/**
 * Values that are never returned: whoever read a resource elsewhere cannot send them along.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import { identityOf } from "./identity.ts";
import { refersElsewhere } from "./immutable.ts";
import {
  copy,
  isMutableObject,
  own,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "./json-object.ts";

type Members = ReadonlyMap<string, AttributeNode>;

/** Carries values over, in place, that are never returned and were not given; none from one reference to another. */
export function keepHidden(members: Members, before: JsonObject, after: MutableObject): void {
  for (const name of Object.keys(before)) {
    const node = members.get(name.toLowerCase());
    const value = own(before, name);
    if (node === undefined || value === undefined) continue;
    const next = ownMutable(after, name);
    if (next === undefined) {
      if (!isShown(node, value)) after[name] = copy(value);
    } else if (isJsonObject(value) && isMutableObject(next)) {
      if (!refersElsewhere(node, value, next)) keepHidden(node.subAttributes, value, next);
    } else if (isJsonArray(value) && Array.isArray(next) && node.subAttributes.size > 0) {
      keepInValues(node, value, next);
    }
  }
}

/**
 * Values of a list are the same where their identity is: see `identityOf`. Those of which nothing is returned stay, unless
 * some are given: then these are all of them.
 */
function keepInValues(node: AttributeNode, before: readonly JsonValue[], after: MutableValue[]): void {
  if (![...node.subAttributes.values()].some(({ attribute }) => attribute.returned === "never")) return;
  const identify = identityOf(node);
  const known = new Map(before.filter(isJsonObject).map((value) => [identify(copy(value)), value]));
  for (const value of after) {
    const same = known.get(identify(value));
    if (same !== undefined && isMutableObject(value)) keepHidden(node.subAttributes, same, value);
  }
  const isHidden = (value: JsonValue): boolean => !isShownWithin(node.subAttributes, value);
  if (!after.some(isHidden)) after.push(...before.filter(isHidden).map(copy));
}

/** Whether something of a value is ever returned. */
function isShown({ attribute, subAttributes }: AttributeNode, value: JsonValue): boolean {
  if (attribute.returned === "never") return false;
  if (isJsonArray(value)) return value.some((each) => isShownWithin(subAttributes, each));
  return isShownWithin(subAttributes, value);
}

function isShownWithin(members: Members, value: JsonValue): boolean {
  if (!isJsonObject(value)) return true;
  return Object.keys(value).some((name) => {
    const node = members.get(name.toLowerCase());
    return node === undefined || isShown(node, own(value, name) ?? null);
  });
}
