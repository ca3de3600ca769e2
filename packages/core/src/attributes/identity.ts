/**
 * When two values of a list are the same thing, and how equal ones become one.
 * @module
 */
import { comparisonKey } from "@scim/filter";
import type { AttributeNode } from "../model/attribute-node.ts";
import { isMutableObject, ownMutable, type MutableObject, type MutableValue } from "./json-object.ts";

/** Names a value: two of one name are the same thing. */
type Identify = (value: MutableValue) => string;

const identities = new WeakMap<AttributeNode, Identify>();

/**
 * What tells values of an attribute apart: a reference's `value`; else value and type; else all sub-attributes. Each
 * counts as filters compare it.
 */
export function identityOf(node: AttributeNode): Identify {
  const known = identities.get(node);
  if (known !== undefined) return known;
  const made = makeIdentify(node);
  identities.set(node, made);
  return made;
}

function makeIdentify(node: AttributeNode): Identify {
  if (node.attribute.type !== "complex") return (value) => textKey(node, value) ?? wholeText(node, value);
  const valueNode = node.subAttributes.get("value");
  const typeNode = node.subAttributes.get("type");
  if (node.storage === "collection" && valueNode?.attribute.type === "string") return idOr(node);
  return (value) => {
    const id =
      isMutableObject(value) && valueNode !== undefined
        ? textKey(valueNode, ownMutable(value, "value"))
        : null;
    if (!isMutableObject(value) || id === null) return wholeText(node, value);
    if (node.storage === "collection" || typeNode === undefined) return id;
    return `${id}\u0000${textKey(typeNode, ownMutable(value, "type")) ?? ""}`;
  };
}

/** What every whole value begins with that is named by its text. */
const WHOLE = "\u0001";

/** References are tens of thousands at once: nothing is put together to name one that has an id. */
function idOr(node: AttributeNode): Identify {
  return (value) => {
    const id = isMutableObject(value) ? ownMutable(value, "value") : undefined;
    if (typeof id !== "string") return wholeText(node, value);
    return id.startsWith(WHOLE) ? `${WHOLE}${id}` : id;
  };
}

const namedBefore = new WeakMap<MutableObject, string>();

/** Values that are named, or looked for, one by one: to remember them takes longer. */
export const FEW_VALUES = 8;

/** The same for a list, from memory where there are more than a few and one was named before: of values that nobody changes in place. */
export function keptIdentityOf(node: AttributeNode, values: readonly MutableValue[]): Identify {
  const identify = identityOf(node);
  if (node.storage === "collection" || values.length <= FEW_VALUES) return identify;
  return (value) => {
    if (!isMutableObject(value)) return identify(value);
    const known = namedBefore.get(value);
    if (known !== undefined) return known;
    const made = identify(value);
    namedBefore.set(value, made);
    return made;
  };
}

/** All of a value as text. The mark keeps it apart from keys. */
function wholeText(node: AttributeNode, value: MutableValue): string {
  const whole = isMutableObject(value) ? partKeys(node, value) : value;
  return `${WHOLE}${JSON.stringify(whole)}`;
}

/** Names of sub-attributes of a value, each before what it is compared by, in the order of the schema. */
function partKeys(node: AttributeNode, value: MutableObject): readonly string[] {
  const keys: string[] = [];
  for (const sub of node.subAttributes.values()) {
    const key = partKey(sub, value);
    if (key !== null) keys.push(sub.attribute.name, key);
  }
  return keys;
}

/** What a sub-attribute of a value is compared by, or null; a `primary` of false is none. */
export function partKey(sub: AttributeNode, value: MutableObject): string | null {
  const { name } = sub.attribute;
  const part = ownMutable(value, name);
  if (part === undefined || (name === "primary" && part === false)) return null;
  return Array.isArray(part) ? JSON.stringify(part.map(identityOf(sub))) : identityOf(sub)(part);
}

function textKey(node: AttributeNode, value: MutableValue | undefined): string | null {
  if (value === undefined || value === null || typeof value === "object") return null;
  // Ids of resources are case exact, also where a schema does not say so: stores keep references by them.
  const caseExact = node.attribute.caseExact || node.storage === "collection";
  const key = comparisonKey(node.attribute.type, caseExact, value);
  return key === undefined ? null : `${typeof key}:${String(key)}`;
}

/** Of values that are the same thing, keeps the first, with what it lacks taken from the others. */
export function distinct(
  node: AttributeNode,
  values: readonly MutableValue[],
  identify: Identify = identityOf(node),
): MutableValue[] {
  const [first, second] = values;
  if (first === undefined) return [];
  if (second === undefined) return [first];
  if (values.length === 2 && identify(first) !== identify(second)) return [first, second];
  const names = values.map(identify);
  if (new Set(names).size === values.length) return [...values];
  const byIdentity = new Map<string, MutableValue>();
  for (const [index, value] of values.entries()) {
    const identity = names[index] ?? "";
    const same = byIdentity.get(identity);
    byIdentity.set(identity, same === undefined ? value : withWhatLacks(same, value));
  }
  return [...byIdentity.values()];
}

function withWhatLacks(kept: MutableValue, other: MutableValue): MutableValue {
  if (!isMutableObject(kept) || !isMutableObject(other)) return kept;
  const filled: MutableObject = { ...other, ...kept };
  if (ownMutable(other, "primary") === true) filled["primary"] = true;
  return filled;
}
