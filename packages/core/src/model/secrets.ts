/**
 * Attributes whose values nobody may ever read again: writeOnly and returned never (`password`). Told by the
 * schema, not by name.
 * @module
 */
import {
  isMutableObject,
  ownMutable,
  type MutableObject,
  type MutableValue,
} from "../attributes/json-object.ts";
import type { AttributeNode } from "./attribute-node.ts";

/** Whether values of an attribute are secrets. */
export function isSecret(node: AttributeNode): boolean {
  return node.attribute.mutability === "writeOnly" && node.attribute.returned === "never";
}

/**
 * Whether a hash of the secret can be kept: it is one text of its resource. What a resource may have several of, or is no
 * text, is dropped always.
 */
export function isHashed(node: AttributeNode): boolean {
  const { attribute, parent } = node;
  return attribute.type === "string" && !attribute.multiValued && parent?.attribute.multiValued !== true;
}

/** A secret that was taken out of a resource. */
export interface TakenSecret {
  readonly node: AttributeNode;
  /** Its value, or the first of them. */
  readonly value: MutableValue;
}

/** Takes the values of secret attributes out of a resource, in place. */
export function takeSecrets(
  secrets: readonly AttributeNode[],
  resource: MutableObject,
): readonly TakenSecret[] {
  return secrets.flatMap((node) => {
    const [value] = takeAlong(resource, node.keys);
    return value === undefined ? [] : [{ node, value }];
  });
}

/** Deletes what is at the end of a path of member names, through lists, and what loses everything by it. */
function takeAlong(value: MutableValue | undefined, keys: readonly string[]): readonly MutableValue[] {
  if (Array.isArray(value)) return takeFromList(value, keys);
  const [key, ...rest] = keys;
  if (key === undefined || !isMutableObject(value) || !Object.hasOwn(value, key)) return [];
  const inner = ownMutable(value, key);
  if (rest.length === 0) {
    delete value[key];
    return inner === undefined ? [] : [inner];
  }
  const taken = takeAlong(inner, rest);
  if (isEmptied(inner)) delete value[key];
  return taken;
}

/** The same of each value of a list, in place: those that lose everything go. */
function takeFromList(values: MutableValue[], keys: readonly string[]): readonly MutableValue[] {
  const taken = values.flatMap((each) => takeAlong(each, keys));
  const left = values.filter((each) => !isEmptied(each));
  if (left.length < values.length) values.splice(0, values.length, ...left);
  return taken;
}

function isEmptied(value: MutableValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMutableObject(value) && Object.keys(value).length === 0;
}
