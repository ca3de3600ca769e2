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

/** Takes the values of secret attributes out of a resource, in place, and tells the paths of those that had one. */
export function takeSecrets(secrets: readonly AttributeNode[], resource: MutableObject): readonly string[] {
  return secrets.filter((node) => takeAlong(resource, node.keys)).map((node) => node.path);
}

/** Deletes what is at the end of a path of member names, through lists, and objects that lose everything by it. */
function takeAlong(value: MutableValue | undefined, keys: readonly string[]): boolean {
  if (Array.isArray(value)) return value.filter((each) => takeAlong(each, keys)).length > 0;
  const [key, ...rest] = keys;
  if (key === undefined || !isMutableObject(value) || !Object.hasOwn(value, key)) return false;
  if (rest.length === 0) return delete value[key];
  const inner = ownMutable(value, key);
  const taken = takeAlong(inner, rest);
  if (isMutableObject(inner) && Object.keys(inner).length === 0) delete value[key];
  return taken;
}
