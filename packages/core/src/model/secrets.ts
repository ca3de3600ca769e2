/**
 * Attributes whose values nobody may ever read again: writeOnly and returned never (`password`). Told by the
 * schema, not by name.
 * @module
 */
import { isMutableObject, type MutableObject } from "../attributes/json-object.ts";
import type { AttributeNode } from "./attribute-node.ts";

/** Whether values of an attribute are secrets. */
export function isSecret(node: AttributeNode): boolean {
  return node.attribute.mutability === "writeOnly" && node.attribute.returned === "never";
}

/** Takes every secret out of a resource, in place, and tells the paths of those that had a value. */
export function takeSecrets(
  members: ReadonlyMap<string, AttributeNode>,
  object: MutableObject,
): readonly string[] {
  const taken: string[] = [];
  for (const name of Object.keys(object)) {
    const node = members.get(name.toLowerCase());
    const value = object[name];
    if (node === undefined || value === undefined) continue;
    if (isSecret(node)) {
      taken.push(node.path);
      delete object[name];
    } else if (node.subAttributes.size > 0) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (isMutableObject(each)) taken.push(...takeSecrets(node.subAttributes, each));
      }
      if (isMutableObject(value) && Object.keys(value).length === 0) delete object[name];
    }
  }
  return taken;
}
