/**
 * What a change of whole values must leave as it is: readOnly and immutable ones (RFC 7644 §3.5.1).
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  ScimError,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { equalValues, isPresentValue } from "./equal.ts";
import {
  copy,
  copyObject,
  isMutableObject,
  own,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "./json-object.ts";
import { identityOf } from "./identity.ts";
import type { AttributeNode } from "../model/attribute-node.ts";

type Members = ReadonlyMap<string, AttributeNode>;

/** Carries readOnly values over, in place: a client cannot change them. */
export function keepReadOnly(members: Members, before: JsonObject, after: MutableObject): void {
  for (const name of Object.keys(before)) {
    const node = members.get(name.toLowerCase());
    const value = own(before, name);
    if (node === undefined || value === undefined) continue;
    if (node.attribute.mutability === "readOnly") after[name] = copy(value);
    else if (isJsonObject(value) && !describesReference(node)) keepReadOnlyWithin(node, value, after);
  }
}

/** What stands beside the `value` of a reference describes that value, and goes with it. */
function describesReference(node: AttributeNode): boolean {
  return referencedTypes(node.attribute).length > 0;
}

/** Whether a reference is given up or names another resource: nothing beside it stays then. */
export function refersElsewhere(node: AttributeNode, before: JsonObject, after: MutableObject): boolean {
  const isFixed = node.subAttributes.get("value")?.attribute.mutability === "immutable";
  return (
    describesReference(node) && !isFixed && !equalValues(own(before, "value"), ownMutable(after, "value"))
  );
}

function keepReadOnlyWithin(node: AttributeNode, before: JsonObject, after: MutableObject): void {
  const held = ownMutable(after, node.attribute.name);
  const values = isMutableObject(held) ? held : {};
  keepReadOnly(node.subAttributes, before, values);
  if (Object.keys(values).length === 0) return;
  if (!isMutableObject(held)) keepRequired(node.subAttributes, before, values);
  after[node.attribute.name] = values;
}

/**
 * Carries immutable values over that were left out, in place, and refuses others.
 * @throws ScimError `mutability`
 */
export function keepImmutable(members: Members, before: JsonObject, after: MutableObject): void {
  for (const name of Object.keys(before)) {
    const node = members.get(name.toLowerCase());
    const value = own(before, name);
    if (node === undefined || value === undefined) continue;
    if (node.attribute.mutability === "immutable") keepValue(node, value, after);
    else if (node.subAttributes.size > 0) keepInComplex(node, value, after);
  }
}

function keepValue(node: AttributeNode, before: JsonValue, after: MutableObject): void {
  const next = ownMutable(after, node.attribute.name);
  if (next !== undefined && !isPresentValue(node, saidOf(node, before), saidOf(node, next)))
    throw otherImmutable(node);
  after[node.attribute.name] = copy(before);
}

/** The refusal of another value than an immutable attribute has. */
export function otherImmutable(node: AttributeNode): ScimError {
  return new ScimError(
    "mutability",
    `Attribute '${node.path}' is immutable: send its present value, or leave it out.`,
  );
}

function keepInComplex(node: AttributeNode, before: JsonValue, after: MutableObject): void {
  const next = ownMutable(after, node.attribute.name);
  if (isJsonObject(before)) {
    const values = isMutableObject(next) ? next : {};
    if (refersElsewhere(node, before, values)) return;
    keepImmutable(node.subAttributes, before, values);
    if (Object.keys(values).length === 0) return;
    if (!isMutableObject(next)) keepRequired(node.subAttributes, before, values);
    after[node.attribute.name] = values;
  } else if (Array.isArray(before) && Array.isArray(next)) {
    keepInList(node, before, next);
  }
}

/** A value that stays for what is readOnly or immutable in it stays valid: what it requires stays too, in place. */
export function keepRequired(members: Members, before: JsonObject, after: MutableObject): void {
  for (const { attribute } of members.values()) {
    const value = own(before, attribute.name);
    if (attribute.required && value !== undefined && !Object.hasOwn(after, attribute.name))
      after[attribute.name] = copy(value);
  }
}

/**
 * Carries the readOnly and immutable parts of the values of a list over, in place, and refuses others of the latter. Values
 * are the same where their identity is, readOnly parts aside: see `identityOf`.
 * @throws ScimError `mutability`
 */
export function keepInList(
  node: AttributeNode,
  before: readonly JsonValue[],
  after: readonly MutableValue[],
): void {
  const isKept = ({ attribute }: AttributeNode): boolean =>
    attribute.mutability === "immutable" || attribute.mutability === "readOnly";
  if (![...node.subAttributes.values()].some(isKept)) return;
  const identify = identityOf(node);
  const known = new Map(
    before.filter(isJsonObject).map((value) => [identify(withoutReadOnly(node, value)), value]),
  );
  for (const value of after) {
    const same = isMutableObject(value) ? known.get(identify(value)) : undefined;
    if (same === undefined || !isMutableObject(value)) continue;
    keepReadOnly(node.subAttributes, same, value);
    keepImmutable(node.subAttributes, same, value);
  }
}

/** A value, or each of a list, as a client may send it. */
function saidOf(node: AttributeNode, value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((each: JsonValue) => saidOf(node, each));
  return isJsonObject(value) ? withoutReadOnly(node, value) : value;
}

/** A value as a client may send it: it cannot say what is readOnly. */
export function withoutReadOnly(node: AttributeNode, value: JsonObject): MutableObject {
  const said = copyObject(value);
  for (const { attribute } of node.subAttributes.values())
    if (attribute.mutability === "readOnly") delete said[attribute.name];
  return said;
}
