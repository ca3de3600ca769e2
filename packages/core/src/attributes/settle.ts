/**
 * Brings the lists of a resource into normal form once their types are known: equal values become one,
 * at most one value is primary, canonical values are checked.
 * @module
 */
import { comparisonKey } from "@scim/filter";
import { ScimError } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { DecodeContext } from "./decode.ts";
import { isMutableObject, ownMutable, type MutableObject, type MutableValue } from "./json-object.ts";

type SettleContext = Pick<DecodeContext, "profile" | "onSwitch">;

/**
 * Settles every list of a resource, in place.
 * @throws ScimError `invalidValue` for two primary values or, where the profile says so, a value that is not canonical
 */
export function settleResource(model: ResourceModel, resource: MutableObject, context: SettleContext): void {
  settleMembers(model.members, resource, context);
}

function settleMembers(
  members: ReadonlyMap<string, AttributeNode>,
  object: MutableObject,
  context: SettleContext,
): void {
  for (const name of Object.keys(object)) {
    const node = members.get(name.toLowerCase());
    const value = object[name];
    if (node === undefined || value === undefined) continue;
    object[name] = settleValue(node, value, context);
  }
}

/** Settles the value of one attribute. */
export function settleValue(node: AttributeNode, value: MutableValue, context: SettleContext): MutableValue {
  if (!Array.isArray(value)) {
    settleOne(node, value, context);
    return value;
  }
  for (const each of value) settleOne(node, each, context);
  return settlePrimary(node, distinct(node, value), context);
}

function settleOne(node: AttributeNode, value: MutableValue, context: SettleContext): void {
  if (isMutableObject(value)) settleMembers(node.subAttributes, value, context);
  else if (node.attribute.canonicalValues.length > 0) checkCanonical(node, value, context);
}

function checkCanonical(node: AttributeNode, value: MutableValue, context: SettleContext): void {
  if (typeof value !== "string") return;
  const { canonicalValues, caseExact } = node.attribute;
  const same = (canonical: string): boolean =>
    caseExact ? canonical === value : canonical.toLowerCase() === value.toLowerCase();
  if (canonicalValues.some(same)) return;
  if (!context.profile.switches.has("non-canonical-values")) {
    throw new ScimError(
      "invalidValue",
      `Attribute '${node.path}' must be one of: ${canonicalValues.join(", ")}.`,
    );
  }
  context.onSwitch("non-canonical-values", node.path);
}

/** Of values that are the same thing, keeps the first and lets it take what it lacks from the others. */
export function distinct(node: AttributeNode, values: readonly MutableValue[]): MutableValue[] {
  const identify = identityOf(node);
  const byIdentity = new Map<string, MutableValue>();
  for (const value of values) {
    const identity = identify(value);
    const same = byIdentity.get(identity);
    if (same === undefined) byIdentity.set(identity, value);
    else takeWhatLacks(same, value);
  }
  return [...byIdentity.values()];
}

/** What tells values of an attribute apart: a reference's `value`; else value and type; else the whole value. */
export function identityOf(node: AttributeNode): (value: MutableValue) => string {
  if (node.attribute.type !== "complex") return (value) => textKey(node, value) ?? wholeText(value);
  const valueNode = node.subAttributes.get("value");
  const typeNode = node.subAttributes.get("type");
  if (valueNode === undefined) return wholeText;
  return (value) => {
    const id = isMutableObject(value) ? textKey(valueNode, ownMutable(value, "value")) : null;
    if (!isMutableObject(value) || id === null) return wholeText(value);
    if (node.storage === "collection" || typeNode === undefined) return id;
    return `${id}\u0000${textKey(typeNode, ownMutable(value, "type")) ?? ""}`;
  };
}

/** The value as text, members in order of name. The mark keeps it apart from keys. */
function wholeText(value: MutableValue): string {
  const entries = isMutableObject(value)
    ? Object.keys(value)
        .toSorted()
        .map((name) => [name, value[name]])
    : value;
  return `\u0001${JSON.stringify(entries)}`;
}

function textKey(node: AttributeNode, value: MutableValue | undefined): string | null {
  if (value === undefined || value === null || typeof value === "object") return null;
  const key = comparisonKey(node.attribute.type, node.attribute.caseExact, value);
  return key === undefined ? null : `${typeof key}:${String(key)}`;
}

function takeWhatLacks(kept: MutableValue, other: MutableValue): void {
  if (!isMutableObject(kept) || !isMutableObject(other)) return;
  for (const name of Object.keys(other)) {
    const value = other[name];
    const lacks = !Object.hasOwn(kept, name) || (name === "primary" && value === true);
    if (lacks && value !== undefined) kept[name] = value;
  }
}

function settlePrimary(node: AttributeNode, values: MutableValue[], context: SettleContext): MutableValue[] {
  const primaryNode = node.subAttributes.get("primary");
  if (primaryNode?.attribute.type !== "boolean") return values;
  const isPrimary = (value: MutableValue): boolean =>
    isMutableObject(value) && ownMutable(value, "primary") === true;
  const primaries = values.filter(isPrimary);
  if (primaries.length < 2) return values;
  const empty = primaries.filter((value) => isMutableObject(value) && isEmpty(ownMutable(value, "value")));
  if (primaries.length - empty.length > 1 || !context.profile.switches.has("empty-second-primary")) {
    throw severalPrimaries(node, primaries.length);
  }
  const dropped = primaries.length === empty.length ? empty.slice(1) : empty;
  context.onSwitch("empty-second-primary", node.path);
  return values.filter((value) => !dropped.includes(value));
}

function isEmpty(value: MutableValue | undefined): boolean {
  return value === undefined || value === "";
}

/** The error for more than one primary value. */
export function severalPrimaries(node: AttributeNode, count: number): ScimError {
  return new ScimError(
    "invalidValue",
    `Attribute '${node.path}' has ${String(count)} primary values: set primary to true on one of them at most.`,
  );
}
